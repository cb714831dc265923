"""From C++ for OpenCL to plain OpenCL C, inside the front end's process.

clang reads the text with the registered names behind it. An instance is the template's text with its arguments in
place; read once more behind the text, as an ordinary function, clang resolves the calls in it: those make further
instances due, until none is. Then all of them are written where their template stands.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from cl_magic.clc.clang_diagnostics import clang_diagnostics
from cl_magic.clc.cpp_definitions import Function, functions_of, types_of
from cl_magic.clc.cpp_parse import offset_of, parse_cpp, probing
from cl_magic.clc.cpp_rewriting import Rewriting
from cl_magic.clc.cpp_subset import in_headers, outside_the_subset, refusal
from cl_magic.clc.diagnostic import Diagnostic
from cl_magic.clc.instance_names import InstanceNames, TooManyInstancesError
from cl_magic.clc.instance_text import InstanceText, instance_text
from cl_magic.clc.instantiation import Instantiation, InstantiationRequest
from cl_magic.clc.lexemes import Words
from cl_magic.clc.libclang import Libclang
from cl_magic.clc.plain_source import PlainSource
from cl_magic.clc.registered_names import NameResolver, Resolved, probes
from cl_magic.clc.text_map import Pieces, edited, text_map, text_of

_ENDLESS = "recursive template instantiation exceeded"
_WITHIN = "in instantiation of function template specialization"


def instantiate(clang: Libclang, request: InstantiationRequest) -> Instantiation:
    """Turn the templates and overloads of a text into plain functions.

    Parameters
    ----------
    clang : Libclang
    request : InstantiationRequest

    Returns
    -------
    Instantiation
        Not available when libclang gave up on the text.
    """
    try:
        return _Instantiator(clang, request).run()
    except clang.cindex.TranslationUnitLoadError:
        return Instantiation(available=False, reason="libclang gave up on this text or its options")
    except TooManyInstancesError as error:
        line = int(error.instance.template.cursor.location.line)
        text = f"the template instantiates itself without end, at last as {error.instance.shown}"
        return Instantiation(refusals=(refusal(text, line),))


class _Instantiator:
    def __init__(self, clang: Libclang, request: InstantiationRequest) -> None:
        self._clang = clang
        self._request = request
        self._words = Words(request.text.source)
        self._probing = probing(request.text.source)
        names = tuple(dict.fromkeys(request.names))
        self._registered = names
        self._unit = parse_cpp(clang, request.text, self._probing + probes(names))
        self.functions = tuple(functions_of(clang, self._unit.cursor, self._words))

    def run(self) -> Instantiation:
        resolved = self._resolved()
        refusals = tuple(r.refusal for r in resolved if r.refusal is not None)
        if not self._request.keep_helpers:
            subset = outside_the_subset(self._clang, self._unit.cursor, self._words, self.functions)
            refusals = (*subset, *in_headers(self._clang, self._unit.cursor), *refusals)
        problems = self._problems()
        endless = next((d for d in problems if _ENDLESS in d.message), None)
        if endless is not None:
            refusals = (*refusals, refusal("the template instantiates itself without end", endless.line))
        if refusals:
            return Instantiation(refusals=refusals, problems=problems)
        names = InstanceNames(self._clang, self._named(), {w.text for w in self._words.all if w.kind == "word"})
        kernels = tuple((r.name, names.name_of(r.cursor) or str(r.cursor.spelling)) for r in resolved)
        rewriting = self._rewriting(names)
        texts = self._instances(names, rewriting.in_macros)
        refusals = self._unreachable(rewriting)
        if refusals:
            return Instantiation(refusals=refusals, problems=problems)
        types = types_of(self._clang, self._unit.cursor, self._words)
        plain = PlainSource(self._words, self.functions, names, types, keep_helpers=self._request.keep_helpers)
        pieces = plain.write(rewriting.edits, texts)
        used = {instance.template.place for instance in names.instances.values()}
        idle = (f.qualified for f in self.functions if f.is_template and f.is_kernel and f.place not in used)
        return Instantiation(
            source=text_of(pieces),
            kernels=kernels,
            line_map=text_map(pieces, self._words.text),
            problems=problems,
            idle=tuple(dict.fromkeys(idle)),
        )

    def _named(self) -> tuple[Function, ...]:
        """Functions that may get another name: where the device takes C++, kernels alone."""
        if not self._request.keep_helpers:
            return self.functions
        return tuple(f for f in self.functions if f.is_kernel)

    def _resolved(self) -> list[Resolved]:
        resolver = NameResolver(self._clang, self._unit, self.functions)
        first = (self._probing + probes(())).count("\n") + 1
        return [resolver.resolve(index, name, first + index) for index, name in enumerate(self._registered)]

    def _rewriting(self, names: InstanceNames) -> Rewriting:
        """Edits of the text outside templates."""
        rewriting = self._rewriting_of(Words(self._probing), names)
        templates = {function.place for function in self.functions if function.is_template}
        places = {function.place: function for function in self.functions}
        for function in places.values():
            if function.place not in templates:
                rewriting.visit(function.cursor)
        if not self._request.keep_helpers:
            for cursor in self._unit.cursor.get_children():
                if self._clang.kind_name(cursor) in {"VAR_DECL", "TYPE_ALIAS_DECL"} and self._is_own(cursor):
                    rewriting.visit(cursor)
        return rewriting

    def _rewriting_of(self, words: Words, names: InstanceNames) -> Rewriting:
        return Rewriting(self._clang, words, names.name_of, calls_only=self._request.keep_helpers)

    def _is_own(self, cursor: Any) -> bool:  # noqa: ANN401
        return 0 <= offset_of(self._clang, cursor) < len(self._probing)

    def _instances(self, names: InstanceNames, in_macros: dict[int, str]) -> list[tuple[InstanceText, Pieces]]:
        """Texts of all instances, those that others call too, with their calls rewritten."""
        done: list[tuple[InstanceText, Pieces]] = []
        while names.waiting:
            due = [instance_text(self._words, instance) for instance in names.waiting]
            names.waiting.clear()
            done += self._round(due, names, in_macros)
        return done

    def _round(
        self, due: list[InstanceText], names: InstanceNames, in_macros: dict[int, str]
    ) -> list[tuple[InstanceText, Pieces]]:
        tail, places = self._probing + "\n", []
        for text in due:
            scope = text.instance.template.scope
            tail += "\n" + "".join(f"namespace {name} {{ " for name in scope) + text.typedefs + text.before
            places.append(len(tail))
            tail += probing(text.text) + text.after + "}" * len(scope)
        unit = parse_cpp(self._clang, self._request.text, tail)
        words = Words(tail)
        cursors = dict(self._behind(unit.cursor, len(self._probing)))
        done = []
        for text, place in zip(due, places, strict=True):
            rewriting = self._rewriting_of(words, names)
            if text.instance.name in cursors:
                rewriting.visit(cursors[text.instance.name])
            in_macros.update(dict.fromkeys((text.instance.template.place,), "") if rewriting.in_macros else {})
            edits = {(a - place, b - place): new for (a, b), new in rewriting.edits.items()}
            done.append((text, edited(text.pieces, edits)))
        return done

    def _behind(self, cursor: Any, start: int) -> Iterator[tuple[str, Any]]:  # noqa: ANN401
        """Functions that stand behind an offset of the parsed text, by name."""
        for child in cursor.get_children():
            if offset_of(self._clang, child) < 0 or int(child.extent.end.offset) <= start:
                continue
            kind = self._clang.kind_name(child)
            if kind == "NAMESPACE":
                yield from self._behind(child, start)
            elif kind == "FUNCTION_DECL":
                yield str(child.spelling), child

    def _unreachable(self, rewriting: Rewriting) -> tuple[Diagnostic, ...]:
        found = []
        for offset, name in sorted(rewriting.in_macros.items()):
            line = self._words.text.count("\n", 0, offset) + 1
            what = f"a call of {name}" if name else "a call of a template or overload"
            text = (
                f"{what} stands inside a macro's definition, where text cannot choose the instance: write the call out"
            )
            found.append(refusal(text, line))
        return tuple(found)

    def _problems(self) -> tuple[Diagnostic, ...]:
        """What clang finds wrong in templates; elsewhere OpenCL C's own reading says it."""
        last = self._probing.count("\n") + 1
        spans = [self._lines(f) for f in self.functions if f.is_template]
        found: dict[tuple[int, int, str], Diagnostic] = {}
        for d in clang_diagnostics(self._unit, self._probing.encode()):
            is_ours = any(first <= d.line <= end for first, end in spans) or "no matching function" in d.message
            if d.severity != "error" or d.file or d.line > last or not is_ours:
                continue
            key = (d.line, d.column, d.message)
            notes = (*found[key].notes, *d.notes) if key in found else d.notes
            found[key] = replace(d, notes=tuple(dict.fromkeys(_note(note, last) for note in notes)))
        return tuple(found.values())

    def _lines(self, function: Function) -> tuple[int, int]:
        extent = function.cursor.extent
        return int(extent.start.line), int(extent.end.line)


def _note(note: Diagnostic, last: int) -> Diagnostic:
    """A note; one that stands at a registered name has no line of the user's."""
    text = note.message.replace(_WITHIN, "in the instance").removesuffix(" requested here")
    return (
        replace(note, message=text)
        if note.line <= last
        else replace(note, message=text, line=0, column=0, end_column=0)
    )
