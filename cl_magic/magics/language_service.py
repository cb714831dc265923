"""What the editor of JupyterLab asks this process while a cell is typed: errors, completions, explanations.

It asks by a silent request with one user expression, over a subshell where the kernel has them, so that the answer
comes while a cell runs too. Nothing of the notebook's variables is evaluated for it.
"""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from typing import Any

from cl_magic.build.result import BuildResult
from cl_magic.build.spec import ProgramSpec
from cl_magic.language.client import live_front_end
from cl_magic.magics.completer import cell_completions
from cl_magic.magics.inspector import cell_explanation
from cl_magic.magics.notebook import Notebook
from cl_magic.magics.publish import DIAGNOSTICS_MIME, diagnostics_of
from cl_magic.magics.typed_cell import check_cell

_MOST_ITEMS = 500


@dataclass(frozen=True, slots=True)
class Answer:
    """An answer, which a front end gets as JSON."""

    value: Any

    def __repr__(self) -> str:
        return "cl_magic's answer to an editor"

    def _repr_mimebundle_(self, **_formats: Any) -> dict[str, Any]:  # noqa: ANN401 - IPython's own
        return {"application/json": self.value}


def answer(question: str) -> Answer:
    r"""Answer an editor.

    Parameters
    ----------
    question : str
        JSON: ``ask`` (``check``, ``complete``, ``explain`` or ``start``), ``cell`` (its text), ``offset`` (characters).

    Returns
    -------
    Answer
        ``null`` where there is nothing to say, or the question is none.

    Examples
    --------
    >>> asked = {"ask": "check", "cell": "%%opencl --glbal=4\nkernel void f() { }"}
    >>> from IPython.core.interactiveshell import InteractiveShell
    >>> shell = InteractiveShell.instance()
    >>> answer(json.dumps(asked)).value["diagnostics"][0]["column"]
    10
    >>> InteractiveShell.clear_instance()
    """
    try:
        asked = json.loads(question)
        ask, cell, offset = asked["ask"], str(asked.get("cell", "")), int(asked.get("offset", 0))
    except (ValueError, TypeError, KeyError, AttributeError):
        return Answer(None)
    act = {"check": _check, "complete": _complete, "explain": _explain, "start": _start}.get(ask)
    notebook = _notebook()
    return Answer(None if act is None or notebook is None else act(notebook, cell, offset))


def _notebook() -> Notebook | None:
    from IPython import get_ipython  # noqa: PLC0415 - only where it runs

    shell = get_ipython()
    if shell is None:
        return None
    magics = shell.magics_manager.registry.get("OpenCLMagics")
    return getattr(magics, "notebook", None) or Notebook(shell)


def _start(_notebook: Notebook, _cell: str, _offset: int) -> dict[str, Any]:
    live_front_end().warm_up()
    return {"ready": True}


def _check(notebook: Notebook, cell: str, _offset: int) -> dict[str, Any]:
    found = check_cell(notebook, cell)
    result = BuildResult(ok=not found.diagnostics, spec=ProgramSpec(""), diagnostics=found.diagnostics)
    nothing = {"version": 1, "source": "", "diagnostics": []}
    return {**diagnostics_of(result, "").get(DIAGNOSTICS_MIME, nothing), "reason": found.reason}


def _complete(notebook: Notebook, cell: str, offset: int) -> dict[str, Any] | None:
    found = cell_completions(notebook, cell, offset, whole=False)
    if found is None:
        return None
    return {"start": found.start, "items": [asdict(item) for item in found.items[:_MOST_ITEMS]]}


def _explain(notebook: Notebook, cell: str, offset: int) -> dict[str, Any] | None:
    found = cell_explanation(notebook, cell, offset)
    return None if found is None else asdict(found)
