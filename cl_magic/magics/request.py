"""What a ``%%opencl`` line asks for, as a value."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal


@dataclass(frozen=True, slots=True)
class CellRequest:
    """A parsed ``%%opencl`` line.

    Attributes
    ----------
    options : tuple of str
        Build options, one an item, values glued and without quotes (``-DN=4``).
    global_size, global_offset : tuple of int or None
        Work-items in x, y, z order, 1 to 3 entries; None where the line does not say.
    local_size : tuple of int, "auto" or None
        Work-items of a group; "auto" where cl_magic shall choose.
    device, std, run, save_log, as_name, file, header : str
        "" where the line does not say. `run` is a call expression, `save_log` and `as_name` are variable names.
    templates : tuple of str
        Registered names, as the line has them: ``axpy<float>``.
    emit : tuple of str
        Forms of the code to show, of ``cl_magic.reflect.listing.KINDS``.
    timeout : float or None
        Seconds.
    quiet, force, eval, bits, compile, panel : bool
    interact : tuple of (str, str)
        Names of parameters or macros, and their ranges.
    """

    options: tuple[str, ...] = ()
    global_size: tuple[int, ...] | None = None
    local_size: tuple[int, ...] | Literal["auto"] | None = None
    global_offset: tuple[int, ...] | None = None
    device: str = ""
    std: str = ""
    run: str = ""
    save_log: str = ""
    as_name: str = ""
    file: str = ""
    header: str = ""
    compile: bool = False
    emit: tuple[str, ...] = ()
    templates: tuple[str, ...] = ()
    timeout: float | None = None
    quiet: bool = False
    force: bool = False
    eval: bool = False
    bits: bool = False
    panel: bool = False
    interact: tuple[tuple[str, str], ...] = ()
