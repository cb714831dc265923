"""Writes the plain OpenCL C: the user's text, edited, with each template replaced by its instances."""

from __future__ import annotations

import re
from collections.abc import Iterator

from cl_magic.clc.cpp_definitions import Function
from cl_magic.clc.cpp_rewriting import word_edits
from cl_magic.clc.instance_names import Instance, InstanceNames
from cl_magic.clc.instance_text import InstanceText, prototype
from cl_magic.clc.lexemes import Words
from cl_magic.clc.text_map import Edits, Piece, Pieces, edited, text_of

Written = tuple[InstanceText, Pieces]
"""An instance, and its text with the calls rewritten."""

_RECORD = re.compile(r"\b(struct|union)\s+([A-Za-z_]\w*)\s*\{")


class PlainSource:
    """Puts one text together.

    Parameters
    ----------
    words : Words
        The text as the user wrote it.
    functions : tuple of Function
    names : InstanceNames
    types : dict of str to int
        Types that the text defines, and the offset behind each definition.
    keep_helpers : bool
        Whether only kernels are rewritten, for a device that takes C++ for OpenCL.
    """

    def __init__(
        self,
        words: Words,
        functions: tuple[Function, ...],
        names: InstanceNames,
        types: dict[str, int],
        *,
        keep_helpers: bool,
    ) -> None:
        self._words = words
        self._functions = functions
        self._names = names
        self._types = types
        self._keep = keep_helpers
        self._typedefs_written: set[str] = set()
        self._namespaces = {name for function in functions for name in function.scope}

    def write(self, edits: Edits, texts: list[Written]) -> Pieces:
        """The whole text.

        Parameters
        ----------
        edits : Edits
            Of the text outside templates.
        texts : list of Written
        """
        all_edits = {**self._text_edits(), **edits}
        found: list[Piece] = []
        at = 0
        for start, end, template, here in self._places(texts):
            found += self._stretch(at, start, all_edits)
            found += self._instances(template, here)
            at = end
        found += self._stretch(at, len(self._words.text), all_edits)
        return tuple(found)

    def _places(self, texts: list[Written]) -> list[tuple[int, int, Function, list[Written]]]:
        """Where instances go: what is replaced there, their template, and themselves."""
        late: dict[tuple[int, int], list[Written]] = {}
        for written in texts:
            place = self._known_from(written[0].instance)
            if place:
                late.setdefault((place, written[0].instance.template.place), []).append(written)
        moved = {text.instance.name for group in late.values() for text, _ in group}
        found = []
        for template in self._functions:
            if template.is_template and (template.is_kernel or not self._keep):
                same = [w for w in texts if w[0].instance.template.qualified == template.qualified]
                here = [w for w in same if w[0].instance.name not in moved]
                found.append((template.start, template.end, template, here))
                groups = ((place, group) for (place, origin), group in late.items() if origin == template.place)
                found += [(place, place, template, group) for place, group in groups]
        return sorted(found, key=lambda place: place[:2])

    def _known_from(self, instance: Instance) -> int:
        """Offset from which on the types among an instance's arguments are known; 0 where the template knows them."""
        names = set(re.findall(r"\w+", " ".join(instance.arguments)))
        last = max((self._types.get(name, 0) for name in names), default=0)
        return last if last > instance.template.start else 0

    def _stretch(self, start: int, end: int, edits: Edits) -> Pieces:
        inside = {(a - start, b - start): text for (a, b), text in edits.items() if start <= a and b <= end}
        return edited((Piece(self._words.text[start:end], start),), inside)

    def _text_edits(self) -> Edits:
        """Edits outside of what the syntax tree gave: names of functions, C++'s words, structs without typedef."""
        edits: dict[tuple[int, int], str] = {}
        for function in self._functions:
            if not function.is_template and (function.is_kernel or not self._keep):
                edits.update(self._declaration_edits(function))
        if not self._keep:
            bodies = [(f.body, f.end) for f in self._functions if f.body >= 0]
            edits.update(word_edits(self._words, self._namespaces, bodies))
            edits.update(self._typedefs())
        return edits

    def _declaration_edits(self, function: Function) -> Iterator[tuple[tuple[int, int], str]]:
        end = function.place + len(function.name)
        if function.header[1]:
            yield function.header, ""
            following = self._words.after(end)
            if following is not None and following.text == "<":
                end = self._words.closing(following.start)
        name = self._names.plain_name(function)
        if name != self._words.text[function.place : end]:
            yield (function.place, end), name

    def _typedefs(self) -> Iterator[tuple[tuple[int, int], str]]:
        """In C++ a struct's tag is a type; in C it needs a typedef."""
        text = self._words.text
        for match in _RECORD.finditer(text):
            keyword, tag = match.groups()
            is_code = self._words.at(match.start()) == keyword
            before = next(self._words.backward(match.start()), None)
            has_own = before is not None and before.text == "typedef"
            named = re.search(rf"\btypedef\b[^;{{]*\b{tag}\s*;|\}}\s*{tag}\s*;", text)
            if is_code and not has_own and not named:
                yield (match.start(), match.start()), f"typedef {keyword} {tag} {tag}; "

    def _instances(self, template: Function, same: list[Written]) -> Iterator[Piece]:
        """Instances of one template, or of a declaration their prototypes, one below the other."""
        yield from self._in_front(template, same)
        own = [(text, pieces) for text, pieces in same if text.instance.template.place == template.place]
        for index, (text, pieces) in enumerate(own):
            if index:
                yield Piece("\n", template.end - 1, copied=False)
            if text.before:
                yield Piece(text.before, template.place, copied=False)
            yield from self._finished(pieces)
            if text.after:
                yield Piece(text.after, template.end - 1, copied=False)
        if own and (own[-1][0].after or self._known_from(own[-1][0].instance)):
            yield Piece("\n", template.end - 1, copied=False)

    def _in_front(self, template: Function, same: list[Written]) -> Iterator[Piece]:
        """What instances of one template need in front: names of types, prototypes."""
        for typedefs in dict.fromkeys(text.typedefs for text, _ in same):
            if typedefs and typedefs not in self._typedefs_written:
                self._typedefs_written.add(typedefs)
                yield Piece(typedefs, template.place, copied=False)
        if not self._keep:
            lines = (prototype(text) for text, _ in same)
            yield from (Piece(line + "\n", template.place, copied=False) for line in lines if line)
            yield from self._specialisations(template)

    def _specialisations(self, template: Function) -> Iterator[Piece]:
        """Prototypes of specialisations, which stand behind the template but may be called by its instances."""
        for function in self._functions:
            is_one = not function.is_template and function.header[1] and function.qualified == template.qualified
            if is_one and function.body >= 0 and not function.is_kernel:
                edits = dict(self._declaration_edits(function))
                pieces = self._stretch(function.header[1], function.body, {**edits})
                line = " ".join(text_of(pieces).split())
                yield Piece(f"{line};\n", function.place, copied=False)

    def _finished(self, pieces: Pieces) -> Pieces:
        if self._keep:
            return pieces
        text = text_of(pieces)
        words = Words(text)
        body = next((w.start for w in words.all if w.text == "{"), len(text))
        return edited(pieces, word_edits(words, self._namespaces, [(body, len(text))]))
