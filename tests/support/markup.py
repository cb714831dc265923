"""Reading an output's HTML as a tree, for tests that assert structure."""

from __future__ import annotations

from dataclasses import dataclass, field
from html.parser import HTMLParser

_VOID = {"br", "img", "meta", "input", "hr", "link"}


@dataclass
class Element:
    """A node: its name, attributes, children, own text."""

    name: str
    attributes: dict[str, str]
    children: list[Element] = field(default_factory=list)
    text: str = ""

    def all(self, name: str = "", css: str = "") -> list[Element]:
        """All descendants of that name and class, in order."""
        found = []
        for child in self.children:
            fits = (not name or child.name == name) and (not css or css in child.attributes.get("class", "").split())
            found += ([child] if fits else []) + child.all(name, css)
        return found

    def words(self) -> str:
        """All text below."""
        return self.text + "".join(child.words() for child in self.children)


class _Reader(HTMLParser):
    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.root = Element("", {})
        self.open = [self.root]

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        node = Element(tag, {name: value or "" for name, value in attrs})
        self.open[-1].children.append(node)
        if tag not in _VOID:
            self.open.append(node)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.open[-1].children.append(Element(tag, {name: value or "" for name, value in attrs}))

    def handle_endtag(self, tag: str) -> None:
        assert self.open[-1].name == tag, f"</{tag}> closes <{self.open[-1].name}>"
        self.open.pop()

    def handle_data(self, data: str) -> None:
        self.open[-1].children.append(Element("#text", {}, text=data))


def read(html: str) -> Element:
    """The tree of an output; every element must be closed, in order."""
    reader = _Reader()
    reader.feed(html)
    reader.close()
    assert reader.open == [reader.root], f"<{reader.open[-1].name}> is not closed"
    return reader.root
