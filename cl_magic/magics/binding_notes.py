"""Sentences about the notebook's variables, for the build report; words in single quotes are shown as code."""

from __future__ import annotations

from cl_magic.magics.namespace import Binding


def removed_notes(binding: Binding, *, failed: bool) -> tuple[str, ...]:
    """One sentence for each variable that is no longer bound.

    Parameters
    ----------
    binding : Binding
    failed : bool
        Whether the build failed; else it succeeded without that kernel.

    Examples
    --------
    >>> from cl_magic.magics.namespace import Removed
    >>> removed_notes(Binding(removed=(Removed("saxpy", "cell [2]"),)), failed=True)
    ("The kernel 'saxpy' that cell [2] built is no longer bound.",)
    """
    why = "" if failed else ": the cell does not define it any more"
    return tuple(f"The {r.what} '{r.name}' that {r.cell} built is no longer bound{why}." for r in binding.removed)


def kept_notes(binding: Binding, as_name: str = "") -> tuple[str, ...]:
    """One sentence for each kernel that got no variable, with the ways to reach it.

    Parameters
    ----------
    binding : Binding
    as_name : str
        Variable of the program, "" where it has none.

    Examples
    --------
    >>> from cl_magic.magics.namespace import Kept
    >>> print(*kept_notes(Binding(kept=(Kept("count", "count is a variable of yours (int)"),)), "p"))
    The kernel 'count' is not bound: count is a variable of yours (int). Call 'p["count"](…)', or use --force.
    """
    before = "Call" if as_name else "Add '--as=program' and call"
    program = as_name or "program"
    return tuple(
        f"The kernel '{kept.name}' is not bound: {kept.reason}. {before} '{program}[\"{kept.name}\"](…)'"
        + (", or use --force." if kept.forcible else ".")
        for kept in binding.kept
    )
