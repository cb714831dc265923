"""What the doctor says. Values; :mod:`cl_magic.display.doctor_report` shows them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from cl_magic.show import Shown, load_view, text_of

Severity = Literal["error", "warn", "ok", "note"]


@dataclass(frozen=True, slots=True)
class Finding:
    """One fact and what to do about it.

    Attributes
    ----------
    severity : {"error", "warn", "ok", "note"}
        ``error``: something that was to work does not; ``warn``: works, but not as one would expect; ``note``: only so.
    subject : str
        What it is about: ``PyOpenCL``, ``driver pocl.icd``, ``PYOPENCL_CTX``.
    text : str
        What was found, with the values.
    remedy : str
        What to type or change, to copy; "" where nothing is to be done.
    """

    severity: Severity
    subject: str
    text: str
    remedy: str = ""


@dataclass(frozen=True, slots=True)
class Examination(Shown):
    """All findings of one visit, in order.

    Attributes
    ----------
    findings : tuple of Finding
    usable : tuple of str
        Devices on which a kernel was built, was run and gave the right answer, by id and name.

    Examples
    --------
    >>> Examination((Finding("error", "device", "there is none", "pip install …"),)).ok
    False
    """

    findings: tuple[Finding, ...]
    usable: tuple[str, ...] = ()

    @property
    def ok(self) -> bool:
        """Whether a kernel can run: on one device at least, one did."""
        return bool(self.usable)

    def count(self, severity: Severity) -> int:
        """Return the number of findings of a severity."""
        return sum(1 for finding in self.findings if finding.severity == severity)

    def __str__(self) -> str:
        load_view("display")
        return text_of(self)
