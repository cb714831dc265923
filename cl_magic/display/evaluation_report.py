"""Report of an evaluation: one value is one line, several are a table, with a column for each device."""

from __future__ import annotations

from cl_magic.display.escape import escape, plain
from cl_magic.display.layout import columns, sentence
from cl_magic.display.page import wrap
from cl_magic.display.parts import bold, dim, facts, head, icon, mono, quoted, raw, small, table
from cl_magic.display.quantity import counted
from cl_magic.record.evaluation import EvaluatedColumn, EvaluatedRow, EvaluatedValue, Evaluation

_MOST_TEXT = 300
"""Characters of one value or expression; the value object holds all."""
_MOST_PRINTF = 20_000
_DIFFER = "Devices gave different values where a row is marked."


def evaluation_html(evaluation: Evaluation) -> str:
    """HTML report.

    Examples
    --------
    >>> from cl_magic.launch.limits import DeviceInfo
    >>> one = EvaluatedColumn(DeviceInfo("0:0", "d", "PoCL", "1.2", ("cpu",)), (EvaluatedValue("1"),))
    >>> "int 1" in evaluation_html(Evaluation((EvaluatedRow("3 > 2", "", 1, "int"),), (one,)))
    True
    """
    if _is_single(evaluation):
        row, column = evaluation.rows[0], evaluation.columns[0]
        value = column.values[0]
        shown = bold(mono(_valued(row, value))) if row.type_name != "void" else mono("void")
        parts = [shown, mono(_cut(row.title)), escape(column.device.short_name)]
        parts += [mono(value.bits)] if evaluation.bits and value.bits else []
        body = head(parts, "note" if value.text == "unspecified" else None)
    else:
        body = head(_title(evaluation), "warn" if _differing(evaluation) else None) + _table(evaluation)
    body += "".join(small(quoted(note)) for note in _notes(evaluation))
    body += "".join(_printf(column, named=len(evaluation.columns) > 1) for column in evaluation.columns)
    return wrap(body, label="values of OpenCL C expressions")


def evaluation_text(evaluation: Evaluation) -> str:
    """Text report.

    Examples
    --------
    >>> from cl_magic.launch.limits import DeviceInfo
    >>> one = EvaluatedColumn(DeviceInfo("0:0", "d", "PoCL", "1.2", ("cpu",)), (EvaluatedValue("1"),))
    >>> print(evaluation_text(Evaluation((EvaluatedRow("3 > 2", "", 1, "int"),), (one,))))
    int 1
    """
    if _is_single(evaluation):
        row, value = evaluation.rows[0], evaluation.columns[0].values[0]
        lines = [_valued(row, value)]
        lines += [f"  {value.bits}"] if evaluation.bits and value.bits else []
    else:
        rows = [line for i in range(len(evaluation.rows)) for line in _lines(evaluation, i)]
        heads = (
            ("expression", "type", "value", "on") if len(evaluation.columns) > 1 else ("expression", "type", "value")
        )
        lines = [*columns([heads, *(line[: len(heads)] for line in rows)], (), "")]
    lines += [sentence(note, "  note      ") for note in _notes(evaluation)]
    for column in evaluation.columns:
        where = f" on {column.device.short_name}" if len(evaluation.columns) > 1 else ""
        lines += [f"  printf{where}", plain(column.printf[:_MOST_PRINTF]).rstrip("\n")] if column.printf else []
    return "\n".join(lines)


def _is_single(evaluation: Evaluation) -> bool:
    return len(evaluation.rows) == len(evaluation.columns) == 1 and bool(evaluation.columns[0].values)


def _valued(row: EvaluatedRow, value: EvaluatedValue) -> str:
    return f"{row.type_name} {_cut(value.text)}".strip()


def _cut(text: str) -> str:
    return text if len(text) <= _MOST_TEXT else f"{text[:_MOST_TEXT]}…"


def _differing(evaluation: Evaluation) -> list[int]:
    return [i for i in range(len(evaluation.rows)) if evaluation.differs(i)]


def _title(evaluation: Evaluation) -> list[str]:
    parts = [bold(counted(len(evaluation.rows), "value"))]
    if len(evaluation.columns) == 1:
        return [*parts, escape(evaluation.columns[0].device.short_name)]
    parts.append(counted(len(evaluation.columns), "device"))
    differing = len(_differing(evaluation))
    alike = "all devices agree" if not any(column.error for column in evaluation.columns) else ""
    return [*parts, f"{counted(differing, 'row')} with different values" if differing else alike]


def _texts(evaluation: Evaluation, row: int) -> list[str]:
    """Value of each device for a row; the first error stands in the first row."""
    texts = []
    for column in evaluation.columns:
        value = column.values[row] if column.values else EvaluatedValue("failed")
        bits = f" ({value.bits})" if evaluation.bits and value.bits else ""
        texts.append(_cut(value.text) + bits)
    return texts


def _table(evaluation: Evaluation) -> str:
    several = len(evaluation.columns) > 1
    heads = ["expression", "type", *(escape(c.device.short_name) if several else "value" for c in evaluation.columns)]
    rows = []
    for i, row in enumerate(evaluation.rows):
        mark = f"{icon('warn')} " if evaluation.differs(i) else ""
        cells = [_cell(text, first, several=several) for text, first in _marked(evaluation, i)]
        rows.append([mark + mono(_cut(row.title)), mono(row.type_name), *cells])
    return f'<div style="margin-top:8px">{table(heads, rows, "values")}</div>'


def _lines(evaluation: Evaluation, row: int) -> list[tuple[str, ...]]:
    """A row of the text: one line where all devices agree, else one a device."""
    known, texts = evaluation.rows[row], _texts(evaluation, row)
    if len(set(texts)) == 1:
        return [(_cut(known.title), known.type_name, texts[0], "all" if len(texts) > 1 else "")]
    names = [column.device.short_name for column in evaluation.columns]
    lines = [("", "", text, name) for text, name in zip(texts, names, strict=True)]
    mark = "≠ " if evaluation.differs(row) else ""
    return [(f"{mark}{_cut(known.title)}", known.type_name, *lines[0][2:]), *lines[1:]]


def _marked(evaluation: Evaluation, row: int) -> list[tuple[str, str]]:
    texts = _texts(evaluation, row)
    first = next((text for text, column in zip(texts, evaluation.columns, strict=True) if column.values), "")
    return [(text, first) for text in texts]


def _cell(text: str, first: str, *, several: bool) -> str:
    if text == "failed":
        return '<span class="is-error">failed</span>'
    return bold(mono(text)) if several and text != first else mono(text)


def _notes(evaluation: Evaluation) -> list[str]:
    """Sentences under the values: each with the row or device that it is about, where there are more than one."""
    notes: dict[str, list[str]] = {}
    for i, row in enumerate(evaluation.rows):
        told = [(note, "") for note in row.notes]
        said = [(c.values[i].note, c.device.short_name) for c in evaluation.columns if c.values and c.values[i].note]
        told += [(said[0][0], "")] if said and len({note for note, _ in said}) == 1 else said
        for note, device in told:
            where = [_cut(row.title)] if len(evaluation.rows) > 1 else []
            where += [f"on {device}"] if device else []
            notes.setdefault(note, []).append(" ".join(where))
    lines = [": ".join(filter(None, [", ".join(dict.fromkeys(filter(None, at))), note])) for note, at in notes.items()]
    lines += [f"{column.device.short_name}: {column.error}" for column in evaluation.columns if column.error]
    lines += [_DIFFER] if _differing(evaluation) else []
    return [*lines, *evaluation.notes]


def _printf(column: EvaluatedColumn, *, named: bool) -> str:
    if not column.printf:
        return ""
    where = f"printf on {column.device.short_name}" if named else "printf"
    return f'<p class="head">{facts([dim(escape(where))])}</p>{raw(column.printf[:_MOST_PRINTF], where)}'
