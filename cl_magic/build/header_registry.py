"""The virtual headers of a notebook: what its header cells hold now, and what programs were built with before."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass

from cl_magic.build.includes import included_files
from cl_magic.build.linking import link_spec
from cl_magic.build.spec import ProgramSpec
from cl_magic.build.virtual_headers import Headers, checked_headers, used_headers


@dataclass(frozen=True, slots=True)
class RegisteredHeader:
    """A header, its text with the lines numbered as the editor does, and the cell it stands in."""

    name: str
    text: str
    cell: str = ""


class HeaderRegistry:
    """Headers by name; a name registered again replaces the text, and programs of the old one are outdated.

    Examples
    --------
    >>> registry = HeaderRegistry()
    >>> registry.register("a.h", "#define A 1", "cell [1]").name
    'a.h'
    >>> spec = ProgramSpec('#include "a.h"', headers=registry.used_by('#include "a.h"'))
    >>> registry.newer(spec) is None
    True
    >>> _ = registry.register("a.h", "#define A 2", "cell [1]")
    >>> registry.newer(spec).headers
    (('a.h', '#define A 2'),)
    """

    def __init__(self) -> None:
        self._known: dict[str, RegisteredHeader] = {}
        self._before: dict[str, set[str]] = {}

    @property
    def headers(self) -> tuple[RegisteredHeader, ...]:
        """In the order in which their names were first registered."""
        return tuple(self._known.values())

    def register(self, name: str, text: str, cell: str) -> RegisteredHeader:
        """Keep a header under its name.

        Raises
        ------
        SourceError
            The name or the text cannot be used, or the name is the folder of another header.
        """
        ((name, text),) = checked_headers([(name, text)])
        others = {other.name: other.text for other in self.headers if other.name != name}
        checked_headers({**others, name: text})
        self._known[name] = made = RegisteredHeader(name, text, cell)
        self._before.setdefault(name, set()).add(text)
        return made

    def used_by(self, source: str, folders: tuple[str, ...] = ()) -> Headers:
        """The headers that a source includes, itself or through others."""
        return used_headers(source, tuple((one.name, one.text) for one in self.headers), folders)

    def newer(self, spec: ProgramSpec) -> ProgramSpec | None:
        """The specification with today's headers; None where it has them, or has none of these.

        Of a linked program that of its objects counts.
        """
        if spec.parts:
            parts = [self.newer(part) or part for part in spec.parts]
            return link_spec(parts, spec.options, spec.source_map.name) if tuple(parts) != spec.parts else None
        old = dict(spec.headers)
        if not any(text in self._before.get(name, ()) for name, text in spec.headers):
            return None
        if all(self._known[name].text == text for name, text in spec.headers if name in self._known):
            return None
        found = {name: text for name, text in old.items() if name not in self._known}
        used = self.used_by("\n".join((spec.source, *found.values())), spec.include_dirs)
        headers = (*used, *found.items())
        text = "\n".join((spec.source, *(header for _, header in headers)))
        included = included_files(text, spec.include_dirs)
        return dataclasses.replace(spec, headers=headers, included=included, plain="")
