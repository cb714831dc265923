"""A panel where no widget can be shown: its controls and their values as a table and as text."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from cl_magic.display.escape import escape, plain
from cl_magic.display.page import wrap
from cl_magic.display.parts import mono, small, table
from cl_magic.widgets.arguments import named

_NOTE = "A panel needs a notebook that is open; here are its values. Open the notebook and run the cell to change them."


def summary_rows(form: Mapping[str, Any], wish: Mapping[str, Any], sizes: Mapping[str, Any]) -> list[tuple[str, ...]]:
    """Name, value and kind of every control.

    Parameters
    ----------
    form, wish, sizes : mapping
        As the panel's traits have them.
    """
    device = next((one["name"] for one in form["devices"] if one["id"] == wish.get("device")), "")
    rows: list[tuple[str, ...]] = [("device", device, "")]
    rows.append(("NDRange", sizes.get("head") or "no size", sizes.get("conclusion", "")))
    arguments, macros = wish["arguments"], wish["macros"]
    rows += [(one["name"], _words(one, arguments.get(one["name"])), one.get("words", "")) for one in form["arguments"]]
    rows += [(one["name"], str(macros.get(one["name"], "")), "macro, " + _range(one)) for one in form["macros"]]
    return rows


def _words(control: Mapping[str, Any], value: Any) -> str:  # noqa: ANN401 - a control's value
    if control["kind"] == "array":
        found = next((choice["text"] for choice in control["choices"] if choice["id"] == value), None)
        return found or named(value) or "nothing that fits"
    text = str(value)
    return f"{text} ({_range(control)})" if control["kind"] != "text" else text or control.get("hint", "")


def _range(control: Mapping[str, Any]) -> str:
    if control["values"]:
        return f"of {', '.join(map(str, control['values'][:12]))}"
    return f"{control['low']} to {control['high']}"


def summary_text(form: Mapping[str, Any], wish: Mapping[str, Any], sizes: Mapping[str, Any], last: str) -> str:
    """The summary as text; `last` says how the last run ended."""
    rows = summary_rows(form, wish, sizes)
    rows += [("last run", last, "")] if last else []
    width = max(len(row[0]) for row in rows)
    lines = [f"  {name:<{width}}  {value}" + (f"  ({kind})" if kind else "") for name, value, kind in rows]
    return plain("\n".join([f"panel of {form['kernel']}", *(line.rstrip() for line in lines)]))


def summary_html(form: Mapping[str, Any], wish: Mapping[str, Any], sizes: Mapping[str, Any], last: str) -> str:
    """The summary as HTML."""
    rows = summary_rows(form, wish, sizes)
    rows += [("last run", last, "")] if last else []
    name = f"panel of {form['kernel']}"
    cells = [[mono(title), escape(value), escape(kind)] for title, value, kind in rows]
    return wrap(table([escape(name), "value", ""], cells, name) + small(escape(_NOTE)), label=name)
