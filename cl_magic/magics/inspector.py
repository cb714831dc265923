"""Shift-Tab in ``%%opencl`` cells: the kernel's answer about a Python name is replaced by one about OpenCL C's."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from cl_magic.display.escape import escape
from cl_magic.display.page import wrap
from cl_magic.display.parts import bold, head, small, table
from cl_magic.errors import ClMagicError
from cl_magic.language.facts import fact
from cl_magic.language.hover import Explanation, explain, of_fact
from cl_magic.magics.flags import FLAGS
from cl_magic.magics.notebook import Notebook
from cl_magic.magics.typed_cell import typed_cell
from cl_magic.session import session

_OPTION = re.compile(r"--?[A-Za-z][\w-]*")
_OPEN_CALL = re.compile(r"([A-Za-z_]\w*)\s*\([^()]*$")


def cell_explanation(notebook: Notebook, document: str, offset: int) -> Explanation | None:
    r"""What the word at an offset of a cell means; None where it is no ``%%opencl`` cell, or nothing is known.

    Between the brackets of a call, where no word stands, the function is meant.

    Examples
    --------
    >>> from IPython.core.interactiveshell import InteractiveShell
    >>> document = "%%opencl -cl-mad-enable\nkernel void f() { barrier( ); }"
    >>> [cell_explanation(Notebook(InteractiveShell()), document, at).title for at in (12, 45, 50)]
    ['-cl-mad-enable', 'void barrier(cl_mem_fence_flags flags)', 'void barrier(cl_mem_fence_flags flags)']
    """
    cell = typed_cell(notebook, document)
    if cell is None:
        return None
    above = sum(len(line) + 1 for line in document.split("\n")[: cell.line_number - 1])
    line_start = above + cell.line_column - 1
    body_start = line_start + len(cell.line) + 1
    if offset < body_start:
        return _of_option(cell.line, offset - line_start)
    if cell.text is None:
        return None
    programs, at = session().programs, offset - body_start
    found = explain(cell.text, at, programs)
    call = _OPEN_CALL.search(cell.body[max(at - 500, 0) : at])
    if found is None and call:
        return explain(cell.text, max(at - 500, 0) + call.start(1), programs)
    return found


def _of_option(line: str, column: int) -> Explanation | None:
    match = next((found for found in _OPTION.finditer(line) if found.start() <= column <= found.end()), None)
    if match is None:
        return None
    known = fact(match[0]) or fact(match[0][:2])
    if known is not None and (known.name == match[0] or known.name in ("-D", "-I")):
        return of_fact(known)
    return next((Explanation(*row) for row in _flags() if row[0].partition("=")[0] == match[0]), None)


def _flags() -> list[tuple[str, str, str]]:
    return [(f"{flag.name}={flag.value}" if flag.value else flag.name, "flag", f"{flag.meaning}.") for flag in FLAGS]


def explanation_bundle(found: Explanation) -> dict[str, str]:
    """Views of an explanation by MIME type.

    Examples
    --------
    >>> sorted(explanation_bundle(Explanation("int x", "variable")))
    ['text/html', 'text/plain']
    """
    body = head([f"<code>{bold(escape(found.title))}</code>", escape(found.kind)])
    body += f"<p>{escape(found.text)}</p>" if found.text else ""
    body += (
        table(["", ""], [[escape(name), escape(value)] for name, value in found.rows], found.title)
        if found.rows
        else ""
    )
    body += small(escape(found.clause)) if found.clause else ""
    return {"text/plain": found.plain(), "text/html": wrap(body, label=found.title)}


class Inspection:
    """The wrapper around a kernel's ``do_inspect``; nothing where a shell has no kernel of ipykernel's kind.

    Parameters
    ----------
    shell : IPython.core.interactiveshell.InteractiveShell
    notebook : Notebook
    """

    def __init__(self, shell: Any, notebook: Notebook) -> None:  # noqa: ANN401 - IPython's shells are not typed
        self._kernel: Any = getattr(shell, "kernel", None)
        self._notebook = notebook
        self._before: Callable[..., Any] | None = getattr(self._kernel, "do_inspect", None)
        if self._kernel is not None and callable(self._before):
            self._kernel.do_inspect = self._inspect

    def remove(self) -> None:
        """Put the kernel's own method back, unless somebody wrapped this one in turn."""
        if self._kernel is not None and getattr(self._kernel, "do_inspect", None) == self._inspect:
            del self._kernel.do_inspect

    def _inspect(self, code: str, cursor_pos: int, *words: Any, **named: Any) -> Any:  # noqa: ANN401 - ipykernel's
        try:
            found = cell_explanation(self._notebook, code, cursor_pos)
        except (ClMagicError, OSError, ValueError):
            found = None
        if found is None:
            return self._before(code, cursor_pos, *words, **named) if self._before else None
        return {"status": "ok", "found": True, "data": explanation_bundle(found), "metadata": {}}
