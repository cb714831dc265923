"""Where a cell's source stands in the editor: the raw cell, its name and id, and the map of its lines.

IPython hands a cell magic a stripped line and a dedented body without the blank lines above. The positions in a report
are those the editor shows, so the source is taken from the raw cell, undedented, wherever that can be had.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

from cl_magic.build.source_map import SourceMap

MAGIC_LINE = re.compile(r"[ \t]*%%opencl(?![\w.-])")


@dataclass(frozen=True, slots=True)
class CellIdentity:
    """What the front end says of the running cell.

    Attributes
    ----------
    name : str
        For reports: ``cell [3]``.
    cell_id : str
        The front end's id of the cell, "" where it sends none (nbclient, terminals).
    texts : tuple of str
        What may be the raw text of the cell, best first.
    """

    name: str
    cell_id: str = ""
    texts: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class CellSource:
    """A cell's OpenCL C text, the map of its lines, and the editor's whole text ("" where it is not known)."""

    text: str
    source_map: SourceMap
    document: str = ""
    note: str = ""


def current_cell(shell: Any) -> CellIdentity:  # noqa: ANN401 - an InteractiveShell; its kernel is optional
    """Return what is known of the cell that runs now: from the execute request, else from the shell's history.

    Parameters
    ----------
    shell : IPython.core.interactiveshell.InteractiveShell
    """
    request = _execute_request(shell)
    code = request.get("content", {}).get("code")
    history = list(getattr(shell.history_manager, "input_hist_raw", None) or [])[-1:]
    texts = [text for text in (code, *history) if isinstance(text, str)]
    cell_id = str(request.get("metadata", {}).get("cellId") or "")
    # The shell's own count is one ahead in newer versions of IPython; the display hook knows the cell's number.
    return CellIdentity(f"cell [{shell.displayhook.prompt_count}]", cell_id, tuple(texts))


def _execute_request(shell: Any) -> dict[str, Any]:  # noqa: ANN401 - an InteractiveShell
    get_parent = getattr(getattr(shell, "kernel", None), "get_parent", None)
    parent = get_parent() if callable(get_parent) else None
    return parent if isinstance(parent, dict) else {}


def cell_source(body: str, cell: CellIdentity) -> CellSource:
    r"""Find the body in the raw cell and return it as the editor shows it.

    Parameters
    ----------
    body : str
        What IPython handed to the magic.
    cell : CellIdentity

    Examples
    --------
    >>> cell = CellIdentity("cell [1]", texts=("\n  %%opencl -w\n  int x;",))
    >>> source = cell_source("int x;", cell)
    >>> source.text, source.source_map.first_line
    ('  int x;', 3)
    """
    for raw in cell.texts:
        document = raw.replace("\r\n", "\n").replace("\r", "\n")
        lines = document.split("\n")
        for index, line in enumerate(lines):
            rest = "\n".join(lines[index + 1 :])
            if MAGIC_LINE.match(line) and rest.split() == body.split():
                return CellSource(rest, SourceMap(cell.name, first_line=index + 2), raw)
    note = "the text of the whole cell is not known here: lines are counted with the magic line as line 1"
    return CellSource(body, SourceMap(cell.name, first_line=2), note=note)
