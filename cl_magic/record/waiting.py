"""A command that somebody waits for, as an observer and a report see it. Values."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Waiting:
    """A launch or build on its way.

    Attributes
    ----------
    what : str
        ``kernel blur`` or ``build of cell [4]``.
    elapsed_s : float
        Seconds since it was submitted.
    progress : float or None
        Share done, 0 to 1; None where it is not known.
    limit_s : float or None
        Seconds after which it is ended by itself (``timeout=``).

    Examples
    --------
    >>> Waiting("kernel blur", 3.4).name
    'blur'
    """

    what: str
    elapsed_s: float
    progress: float | None = None
    limit_s: float | None = None

    @property
    def name(self) -> str:
        """The kernel's name, or what else is waited for."""
        return self.what.removeprefix("kernel ")


@dataclass(frozen=True, slots=True)
class Stopped:
    """A launch or build that the user interrupted.

    Attributes
    ----------
    what : str
        ``kernel spin`` or ``build of cell [4]``.
    elapsed_s : float
        Seconds from its submission to the end of the worker.
    partly_written, lost : tuple of str
        Names of the arrays that may hold part of the result, and of those that lived in the worker only.
    """

    what: str
    elapsed_s: float
    partly_written: tuple[str, ...] = ()
    lost: tuple[str, ...] = ()

    @property
    def sentence(self) -> str:
        """What happened and what is safe, in one line.

        Examples
        --------
        >>> Stopped("kernel spin", 3.24).sentence
        'kernel spin was stopped after 3.2 s; your arrays are as they were, and a new worker starts'
        """
        parts = []
        if self.partly_written:
            parts.append(f"{', '.join(self.partly_written)} may be partly written")
        if self.lost:
            parts.append(f"{', '.join(self.lost)} lost: made again, it works as before")
        safe = "; ".join([*parts, "all other arrays are as they were"]) if parts else "your arrays are as they were"
        return f"{self.what} was stopped after {self.elapsed_s:.1f} s; {safe}, and a new worker starts"
