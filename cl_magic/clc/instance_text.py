"""The text of one template instance: parameters replaced by arguments, ``template<…>`` gone, its own name."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from cl_magic.clc.instance_names import Instance
from cl_magic.clc.lexemes import Words
from cl_magic.clc.text_map import Piece, Pieces, edited, named, text_of

_SPACE = re.compile(r"^(__global|__local|__constant) ")
_SIMPLE_TYPE = re.compile(r"[\w ]+")


@dataclass(frozen=True)
class InstanceText:
    """An instance as text.

    Attributes
    ----------
    instance : Instance
    pieces : Pieces
        The function, its comment first.
    typedefs : str
        What must stand before its prototype: names for arguments that are pointers.
    before, after : str
        Whole lines around it: definitions for macros that use a parameter.
    """

    instance: Instance
    pieces: Pieces
    typedefs: str = ""
    before: str = ""
    after: str = ""

    @property
    def text(self) -> str:
        """The function alone."""
        return text_of(self.pieces)


def instance_text(words: Words, instance: Instance) -> InstanceText:
    """Text of an instance, its calls still as the template has them.

    Parameters
    ----------
    words : Words
        The text as the user wrote it.
    instance : Instance
    """
    template = instance.template
    typedefs, before, after, values = "", "", "", {}
    for (name, _), argument in zip(template.parameters, instance.arguments, strict=True):
        values[name] = argument
        if not _SIMPLE_TYPE.fullmatch(argument) and not argument.startswith("("):
            # `const T` is a constant pointer, not a pointer to constants: only a name of its own keeps that.
            values[name] = f"{instance.name}__{name}"
            typedefs += f"typedef {argument} {values[name]};\n"
        if name and _in_a_macro(words, name):
            before = f"{before or chr(10)}#define {name} {values[name]}\n"
            after += f"\n#undef {name}"
    edits = dict(_edits(words, instance, values))
    whole = (Piece(words.text[template.start : template.end], template.start),)
    shifted = {(start - template.start, end - template.start): text for (start, end), text in edits.items()}
    return InstanceText(instance, named(edited(whole, shifted), instance.shown), typedefs, before, after)


def _edits(words: Words, instance: Instance, values: dict[str, str]) -> Iterator[tuple[tuple[int, int], str]]:
    template = instance.template
    start, end = template.header
    following = words.after(end)
    yield (start, following.start if following and "\n" not in words.text[end : following.start] else end), ""
    yield (template.place, template.place + len(template.name)), instance.name
    inside = words.between(end, template.end)
    has_static = any(word.text == "static" for word in words.between(end, template.place))
    for index, word in enumerate(inside):
        # C99's inline alone leaves no function to link with.
        if word.text == "inline" and word.start < template.place and not has_static:
            yield (word.start, word.end), "static inline"
        if word.kind != "word" or word.text not in values or (index and inside[index - 1].text == "."):
            continue
        if index > 1 and inside[index - 1].text == ">" and inside[index - 2].text == "-":
            continue  # a member of that name
        yield _use(words, word.start, word.end, values[word.text])


def _use(words: Words, start: int, end: int, value: str) -> tuple[tuple[int, int], str]:
    """A parameter's use; ``T()`` and ``T{}`` are zero; an address space belongs only to what a pointer leads to."""
    rest = (word.text for word in words.onward(end))
    following = next((text for text in rest if text not in {"const", "volatile"}), "")
    if following not in {"*", ">", ","}:
        value = _SPACE.sub("", value)
    opening = words.after(end)
    if opening is not None and opening.text in {"(", "{"}:
        closing = words.after(opening.end)
        if closing is not None and closing.text in {")", "}"}:
            return (start, closing.end), f"(({value})(0))"
    return (start, end), value


def _in_a_macro(words: Words, name: str) -> bool:
    defines = (w.text for w in words.all if w.kind == "directive" and re.match(r"\s*#\s*define\b", w.text))
    return any(re.search(rf"\b{re.escape(name)}\b", text.split(None, 2)[-1]) for text in defines)


def prototype(text: InstanceText) -> str:
    """Declaration of an instance, on one line; "" for a kernel."""
    if text.instance.template.is_kernel or text.instance.template.body < 0:
        return ""
    words = Words(text.text)
    before_body: list[str] = []
    for word in words.all:
        if word.text == "{":
            break
        if word.kind != "comment":
            before_body.append(word.text)
    return f"{_spaced(before_body)};"


def _spaced(words: list[str]) -> str:
    """Words as a line; no blank where the source would have none does not matter to a compiler."""
    return re.sub(r" (?=[(),])|(?<=\() ", "", " ".join(words))
