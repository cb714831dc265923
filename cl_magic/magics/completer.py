"""Completion of ``%%opencl`` cells and ``%opencl`` lines in every front end, as a matcher of IPython's completer."""

from __future__ import annotations

import re
from typing import Any

from IPython.core.completer import SimpleCompletion, SimpleMatcherResult, context_matcher

from cl_magic.errors import ClMagicError
from cl_magic.language.completion import Completions, completions
from cl_magic.magics.line_completion import line_completions, verb_completions
from cl_magic.magics.notebook import Notebook
from cl_magic.magics.typed_cell import typed_cell
from cl_magic.magics.verbs import VERBS

IDENTIFIER = "cl_magic"
_LINE = re.compile(r"(?:^|=\s*)\s*%opencl(?![\w.-])")


def cell_completions(notebook: Notebook, document: str, offset: int, *, whole: bool = True) -> Completions | None:
    r"""What may be typed at an offset of a cell; None where it is no ``%%opencl`` cell, or the offset is above it.

    Parameters
    ----------
    notebook : Notebook
    document : str
        The whole cell.
    offset : int
    whole : bool, optional
        Whether the language's own names are given too.

    Examples
    --------
    >>> from IPython.core.interactiveshell import InteractiveShell
    >>> found = cell_completions(Notebook(InteractiveShell()), "%%opencl --qui\nint x;", 14)
    >>> found.start, found.items[0].text
    (9, '--quiet')
    """
    cell = typed_cell(notebook, document)
    if cell is None:
        return None
    above = sum(len(line) + 1 for line in document.split("\n")[: cell.line_number - 1])
    line_start = above + cell.line_column - 1
    body_start = line_start + len(cell.line) + 1
    if offset < line_start:
        return None
    if offset < body_start:
        found = line_completions(notebook, cell.line, offset - line_start, cell.body)
        return Completions(found.start + line_start, found.items)
    if cell.text is None:
        return Completions(offset)
    found = completions(cell.text, offset - body_start, whole=whole)
    return Completions(found.start + body_start, found.items)


def line_words(notebook: Notebook, line: str, column: int) -> Completions | None:
    """What may be typed at a column of a Python line; None where no ``%opencl`` stands before it.

    Examples
    --------
    >>> from IPython.core.interactiveshell import InteractiveShell
    >>> found = line_words(Notebook(InteractiveShell()), "%opencl dev", 11)
    >>> found.start, [one.text for one in found.items]
    (8, ['devices', 'device'])
    """
    match = _LINE.match(line)
    if match is None or column < match.end():
        return None
    verbs = ((verb.name, verb.words, verb.meaning) for verb in VERBS)
    found = verb_completions(notebook, line[match.end() :], column - match.end(), verbs)
    return Completions(found.start + match.end(), found.items)


class Completion:
    """The matcher in a shell's completer.

    Parameters
    ----------
    shell : IPython.core.interactiveshell.InteractiveShell
    notebook : Notebook
    """

    def __init__(self, shell: Any, notebook: Notebook) -> None:  # noqa: ANN401 - IPython's shells are not typed
        self._matchers: list[Any] = getattr(getattr(shell, "Completer", None), "custom_matchers", [])
        self._notebook = notebook

        @context_matcher(identifier=IDENTIFIER)  # type: ignore[untyped-decorator]  # it marks a function, not a method
        def matcher(context: Any) -> Any:  # noqa: ANN401 - IPython's CompletionContext
            return self._matched(context)

        self._matcher = matcher
        self._matchers.append(self._matcher)

    def remove(self) -> None:
        """Take the matcher out of the completer."""
        if self._matcher in self._matchers:
            self._matchers.remove(self._matcher)

    def _matched(self, context: Any) -> Any:  # noqa: ANN401 - IPython's CompletionContext
        try:
            found, offset = self._found(context)
        except (ClMagicError, OSError, ValueError):
            found, offset = None, 0  # a completer says nothing rather than something wrong
        if found is None:
            return SimpleMatcherResult(completions=[], suppress=False)  # IPython writes into it
        items = [SimpleCompletion(one.text, type=one.kind) for one in found.items]
        fragment = context.full_text[found.start : offset]
        return SimpleMatcherResult(completions=items, suppress=True, matched_fragment=fragment, ordered=True)

    def _found(self, context: Any) -> tuple[Completions | None, int]:  # noqa: ANN401
        text, line = context.full_text, context.cursor_line
        lines = text.split("\n")
        above = sum(len(each) + 1 for each in lines[:line])
        offset = above + context.cursor_position
        found = cell_completions(self._notebook, text, offset)
        if found is None and line < len(lines):
            found = line_words(self._notebook, lines[line], context.cursor_position)
            found = None if found is None else Completions(found.start + above, found.items)
        return found, offset
