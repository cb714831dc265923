"""The kernel that evaluates a text: the items as they stand, each on lines of its own, and stores of their values."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace

from cl_magic.build.spec import ProgramSpec
from cl_magic.clc.diagnostic import Diagnostic
from cl_magic.clc.evaluation import Division, ItemFacts, TypeFacts
from cl_magic.clc.types import type_of
from cl_magic.evaluate.items import Item
from cl_magic.evaluate.names import Given

KERNEL = "cl_magic_eval"
_OUT = "cl_magic_out"
_ALIGNMENT = 128
"""Of the largest type, a vector of 16 doubles (OpenCL C 1.2, 6.1.5)."""
_SMALLEST = {"char": "CHAR_MIN", "short": "SHRT_MIN", "int": "INT_MIN", "long": "LONG_MIN"}


@dataclass(frozen=True, slots=True)
class Slot:
    """Where one value comes back.

    Attributes
    ----------
    item : int
        Index of the item that gave it.
    name : str
        Of the variable; "" for an expression's value.
    type : TypeFacts
    offset, nbytes : int
        In the buffer of results; `nbytes` 0 where the value cannot come back.
    flag : int
        Offset of an int that is not 0 where an integer division has no defined result; -1 where there is none.
    """

    item: int
    name: str
    type: TypeFacts
    offset: int
    nbytes: int
    flag: int = -1


@dataclass(slots=True)
class Written:
    """A kernel's text, the place of each item in it, and the slots of its results."""

    lines: list[str] = field(default_factory=list)
    places: dict[int, tuple[int, int]] = field(default_factory=dict)
    """User's line, and characters that stand left of it there, by line of `lines` (from 1)."""
    slots: list[Slot] = field(default_factory=list)
    nbytes: int = _ALIGNMENT

    @property
    def source(self) -> str:
        """The text."""
        return "\n".join(self.lines) + "\n"

    def put(self, item: Item) -> None:
        """Add an item as it stands, on lines of its own."""
        for number, line in enumerate(item.text.split("\n")):
            self.lines.append(line)
            self.places[len(self.lines)] = (item.line + number, 0 if number else item.column - 1)

    def room(self, nbytes: int) -> int:
        """Offset of new room for so many bytes."""
        offset = self.nbytes
        self.nbytes += -(-max(nbytes, 1) // _ALIGNMENT) * _ALIGNMENT
        return offset

    def _end_above(self, line: int) -> tuple[int, int]:
        """User's line and column just behind the item above one of our lines; (0, 0) where there is none."""
        above = max((place for place in self.places if place < line), default=0)
        if not line or not above:
            return 0, 0
        user_line, left = self.places[above]
        return user_line, left + len(self.lines[above - 1]) + 1

    def on_user_lines(self, diagnostic: Diagnostic, first_line: int) -> Diagnostic:
        """A diagnostic with the user's position; one of our own lines has none."""
        if diagnostic.file:
            return diagnostic
        line, left = self.places.get(diagnostic.line, (0, 0))
        notes = tuple(self.on_user_lines(note, first_line) for note in diagnostic.notes)
        if not line:  # of our own lines: what it says, it says of the end of the item above
            line, column = self._end_above(diagnostic.line)
            line += first_line - 1 if line else 0
            return replace(diagnostic, line=line, column=column, end_column=0, fixits=(), notes=notes)
        fixits = tuple(
            replace(
                fix,
                line=self.places.get(fix.line, (line, left))[0] + first_line - 1,
                column=fix.column + left,
                end_column=fix.end_column + left,
            )
            for fix in diagnostic.fixits
        )
        return replace(
            diagnostic,
            line=line + first_line - 1,
            column=diagnostic.column + left if diagnostic.column else 0,
            end_column=diagnostic.end_column + left if diagnostic.end_column else 0,
            fixits=fixits,
            notes=notes,
        )


def _begun(items: Sequence[Item], given: Sequence[Given]) -> Written:
    written = Written()
    for item in items:
        if item.outside:
            written.put(item)
            written.lines.append(";" if _is_type(item) else "")
    parameters = [f"global uchar *{_OUT}", *(f"{one.type_name} {one.name}" for one in given)]
    written.lines.append(f"kernel void {KERNEL}({', '.join(parameters)}) {{")
    return written


def _is_type(item: Item) -> bool:
    return item.text.split(None, 1)[0] in {"struct", "union", "enum", "typedef"}


def probe(items: Sequence[Item], given: Sequence[Given]) -> tuple[Written, list[tuple[int, int]]]:
    r"""The items as statements, and the byte range of each in the text; (0, 0) for those at program scope.

    Examples
    --------
    >>> from cl_magic.evaluate.items import items_of
    >>> probe(items_of("3 > 2"), ())[0].source
    'kernel void cl_magic_eval(global uchar *cl_magic_out) {\n3 > 2\n;\n}\n'
    """
    written = _begun(items, given)
    ranges = []
    for item in items:
        if item.outside:
            ranges.append((0, 0))
            continue
        start = len(written.source.encode("utf-8", "replace"))
        written.put(item)
        ranges.append((start, start + len(item.text.encode("utf-8", "replace"))))
        written.lines.append(";")
    written.lines.append("}")
    return written, ranges


def evaluating(items: Sequence[Item], facts: Sequence[ItemFacts], given: Sequence[Given]) -> Written:
    """The kernel that evaluates the items in order and stores their values.

    Examples
    --------
    >>> from cl_magic.evaluate.items import items_of
    >>> int_ = ItemFacts("expression", TypeFacts("int"))
    >>> print(evaluating(items_of("3 > 2"), [int_], ()).source.split(chr(10))[1:4])
    ['*(global int *)(cl_magic_out + 128) = (', '3 > 2', ');']
    """
    written = _begun(items, given)
    for index, (item, known) in enumerate(zip(items, facts, strict=True)):
        if not item.outside:
            _evaluate(written, index, item, known)
            written.lines.append(f"*(global int *){_OUT} = {index + 1};")  # a text may return before its end
    written.lines.append("}")
    return written


def _evaluate(written: Written, index: int, item: Item, facts: ItemFacts) -> None:
    flag = -1
    if facts.divisions:
        flag = written.room(4)
        checks = " | ".join(check for division in facts.divisions for check in _checks(division))
        written.lines.append(f"*(global int *)({_OUT} + {flag}) = {checks};")
    nbytes = _size(facts.type)
    if facts.kind == "expression" and nbytes and not facts.type.shape:
        offset = written.room(nbytes)
        written.lines.append(f"*(global {facts.type.name} *)({_OUT} + {offset}) = (")
        written.put(item)
        written.lines.append(");")
        written.slots.append(Slot(index, "", facts.type, offset, nbytes, flag))
        return
    if facts.kind == "expression" and nbytes:
        _store(written, Slot(index, "", facts.type, written.room(nbytes), nbytes), item)
        return
    written.put(item)
    written.lines.append(";")
    if facts.kind == "expression":
        written.slots.append(Slot(index, "", facts.type, 0, 0, flag))
    for variable in facts.variables:
        nbytes = _size(variable.type)
        slot = Slot(index, variable.name, variable.type, written.room(nbytes) if nbytes else 0, nbytes, flag)
        _store(written, slot, None)
    if facts.kind in {"statement", "declaration"} and not facts.variables:
        written.slots.append(Slot(index, "", TypeFacts("void"), 0, 0))


def _store(written: Written, slot: Slot, item: Item | None) -> None:
    """Copy a variable, or an array that an item names, to its slot."""
    written.slots.append(slot)
    if not slot.nbytes:
        return
    target, count = f"(global {slot.type.name} *)({_OUT} + {slot.offset})", math.prod(slot.type.shape)
    if not slot.type.shape:
        written.lines.append(f"*{target} = {slot.name};")
        return
    zeros = "[0]" * len(slot.type.shape)
    written.lines.append(f"for (int cl_magic_i = 0; cl_magic_i < {count}; ++cl_magic_i) ({target})[cl_magic_i] = (&(")
    if item is None:
        written.lines.append(slot.name)
    else:
        written.put(item)
    written.lines.append(f"){zeros})[cl_magic_i];")


def _size(facts: TypeFacts) -> int:
    """Bytes of a value that can come back; 0 for others: pointers, images, void."""
    ctype = type_of(facts.name)
    one = facts.layout.size_bytes if facts.layout is not None else ctype.size_bytes if ctype is not None else 0
    if facts.layout is not None and (facts.layout.bit_field or "(" in facts.layout.name):
        return 0
    return one * math.prod(facts.shape)


def _checks(division: Division) -> Iterator[str]:
    """Whether a divisor is 0 or a quotient overflows: then the value is not specified (OpenCL C 1.2, 6.3.a)."""
    ctype = type_of(division.type_name)
    if ctype is None:
        return
    left, right = (f"({division.type_name})({text})" for text in (division.left, division.right))
    any_ = "any" if ctype.width > 1 else ""
    yield f"{any_}({right} == ({division.type_name})(0))"
    if ctype.family == "signed":
        least = f"({division.type_name})({_SMALLEST[ctype.scalar]})"
        yield f"{any_}(({left} == {least}) & ({right} == ({division.type_name})(-1)))"


def user_spec(text: str, spec: ProgramSpec, name: str, first_line: int) -> ProgramSpec:
    """The user's own text in place of the kernel's, for reports.

    Examples
    --------
    >>> user_spec("3 > 2", ProgramSpec("kernel void k() {}"), "eval", 1).source
    '3 > 2'
    """
    places = replace(spec.source_map, name=name, first_line=first_line)
    return replace(spec, source=text, plain=spec.source, source_map=places)
