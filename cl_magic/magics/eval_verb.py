"""``%opencl eval EXPRESSION`` and ``%%opencl --eval``: values with their types, on one device or side by side."""

from __future__ import annotations

import re

from cl_magic.clc.type_table import TYPES, TypeTable
from cl_magic.errors import BuildError, MagicLineError
from cl_magic.evaluate.evaluation import Origin, evaluate
from cl_magic.launch.limits import DeviceInfo
from cl_magic.magics.cell_text import CellSource
from cl_magic.magics.line_error import Place, line_error
from cl_magic.magics.nearest import nearest
from cl_magic.magics.notebook import Notebook
from cl_magic.magics.publish import bundle_of
from cl_magic.magics.request import CellRequest
from cl_magic.session import session

_FLAG = re.compile(r"\s*(--device=(?P<device>'[^']*'|\"[^\"]*\"|\S+)|--bits(?!\S))")
_NEAR_FLAG = re.compile(r"\s*(--[a-z][a-z-]*)(=(?!=))?")
_EXAMPLE = "for example %opencl eval (int4)(1, 2, 3, 4) > 2"


def chosen_devices(selector: str) -> tuple[DeviceInfo, ...]:
    """Devices that ``--device=`` names: ``all``, or selectors parted by commas; () for the current one.

    Parameters
    ----------
    selector : str
        A part that is no device is an error, as for :meth:`cl_magic.session.Session.resolve`.

    Examples
    --------
    >>> chosen_devices("")
    ()
    """
    if selector == "all":
        return tuple(device for report in session().reports() for device in report.devices if device.available)
    found = (session().resolve(part.strip()) for part in selector.split(",") if part.strip())
    return tuple({device.id: device for device in found}.values())


def is_eval(line: str) -> bool:
    """Whether a ``%opencl`` line is one to evaluate: its words are C, not a shell's.

    Examples
    --------
    >>> is_eval("eval 'a' + 1"), is_eval("evaluate"), is_eval("devices")
    (True, False, False)
    """
    return line.split(None, 1)[:1] == ["eval"]


def run_eval(notebook: Notebook, line: str) -> None:
    """Show the value of a ``%opencl eval`` line.

    Raises
    ------
    MagicLineError
        There is no expression.
    BuildError
        It is no OpenCL C: with the compiler's message on the line.
    """
    text = line[line.index("eval") + len("eval") :]
    device, bits = "", False
    while flag := _FLAG.match(text):
        device, bits = (flag["device"] or "").strip("'\"") or device, bits or flag["device"] is None
        text = text[flag.end() :]
    if not text.strip():
        message = "eval what?"
        raise line_error(message, Place(line, len(line), len(line)), _EXAMPLE)
    _refuse_near_flag(line, text)
    row = next((row for row in TYPES if row.name == text.strip()), None)
    if row is not None:  # a type alone has no value, but facts
        notebook.publish(bundle_of(TypeTable((row,))))
        return
    found = evaluate(text.strip(), names=notebook.names, devices=chosen_devices(device), bits=bits)
    notebook.publish(bundle_of(found))


def _refuse_near_flag(line: str, text: str) -> None:
    """A word like ``--bitz`` is a flag that was misspelt; ``--n`` is C."""
    word = _NEAR_FLAG.match(text)
    near = nearest(word[1], ("--device", "--bits")) if word else ""
    if word and (near or word[2]):
        start = len(line) - len(text) + word.start(1)
        message = f"eval has no flag {word[1]}"
        remedy = f"did you mean {near}?" if near else "flags of eval: --device=NAME and --bits"
        raise line_error(message, Place(line, start, start + len(word[1])), remedy)


def eval_cell(notebook: Notebook, request: CellRequest, source: CellSource, document: str) -> None:
    """Show the values of a ``%%opencl --eval`` cell.

    Raises
    ------
    MagicLineError
        The line has flags that only a kernel's cell takes.
    BuildError
        With the messages on the cell's lines.
    """
    _refuse_kernel_flags(request)
    place = source.source_map
    try:
        found = evaluate(
            source.text,
            names=notebook.names,
            devices=chosen_devices(request.device),
            options=request.options,
            std=request.std or None,
            timeout=request.timeout,
            bits=request.bits,
            origin=Origin(place.name, place.first_line),
        )
    except BuildError as error:
        raise BuildError(error.message, remedy=error.remedy, **{**error.facts, "document": document}) from None
    notebook.publish(bundle_of(found))


def _refuse_kernel_flags(request: CellRequest) -> None:
    plain = CellRequest()
    for name in ("global_size", "local_size", "global_offset", "run", "save_log", "as_name", "file", "force", "quiet"):
        if getattr(request, name) != getattr(plain, name):
            flag = "--" + name.removesuffix("_size").removesuffix("_name").removeprefix("global_").replace("_", "-")
            flag = "--global" if name == "global_size" else flag
            message = f"--eval and {flag} do not go together: --eval runs expressions in one work-item, not kernels"
            raise MagicLineError(message, remedy=f"leave out --eval or {flag}", flag=flag)
