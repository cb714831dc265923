"""The views' JavaScript as the one module that a widget is given.

The files under `js` are plain ES modules that import each other only; a bundler takes them as they are. A widget wants
a single text, so they are put one after the other here, without their imports and exports: no name may be declared in
two of them, which a browser would refuse (and `tests/js` does).
"""

from __future__ import annotations

import functools
import re
from collections.abc import Iterable
from importlib import resources

PARTS = ("tokens", "style", "base", "ndrange", "timeline", "buffer", "run", "index")
"""The files, each after those it imports."""
_IMPORT = re.compile(r"^import\b[^;]*;\n", re.MULTILINE)
_NAMED = re.compile(r"^export \{[^}]*\};\n", re.MULTILINE)
_EXPORT = re.compile(r"^export (?=(?:async )?(?:function|const|let|class)\b)", re.MULTILINE)
# A named `render` would be taken for the widget's own.
_EXPORTS = "export default { render: renderWidget };\n"


def part_names() -> tuple[str, ...]:
    """Names of the files that exist, in the order they are put together."""
    folder = resources.files("cl_magic.views").joinpath("js")
    present = {path.name.removesuffix(".js") for path in folder.iterdir() if path.name.endswith(".js")}
    extra = sorted(present - set(PARTS))
    # A part of a view, `timeline_axis.js`, comes before the view.
    ordered: list[str] = []
    for name in PARTS:
        ordered += [part for part in extra if part.startswith(f"{name}_")]
        ordered += [name] if name in present else []
    return tuple(ordered)


@functools.cache
def module_text() -> str:
    """Return the whole module, with the default export that anywidget asks for.

    Examples
    --------
    >>> "import {" in module_text(), "export default" in module_text()
    (False, True)
    """
    folder = resources.files("cl_magic.views").joinpath("js")
    texts = [folder.joinpath(f"{name}.js").read_text(encoding="utf-8") for name in part_names()]
    return glued(texts) + _EXPORTS


def glued(texts: Iterable[str]) -> str:
    r"""Return ES modules, each after those it imports, as one text without their imports and exports.

    Examples
    --------
    >>> glued(['export const A = 1;\n', 'import { A } from "./a.js";\nconst B = A;'])
    'const A = 1;\n\nconst B = A;'
    """
    return "\n".join(_EXPORT.sub("", _NAMED.sub("", _IMPORT.sub("", text))) for text in texts)
