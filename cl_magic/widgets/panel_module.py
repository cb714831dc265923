"""A panel's JavaScript: the live views' module, then the panel's own files."""

from __future__ import annotations

import functools
from importlib import resources

from cl_magic.views.module import glued, module_text

_PICKER = ("picker_style", "ndrange_style", "ndrange_layout", "ndrange_fields", "ndrange_picker")
_OWN = ("panel_style", "panel_fields", "panel_result", "panel")


@functools.cache
def panel_module() -> str:
    """Return the whole text, with the default export that anywidget asks for.

    The NDRange picker's files are in a scope of their own, as they have a ``render`` too.

    Examples
    --------
    >>> text = panel_module()
    >>> "import {" in text, text.count("export default")
    (False, 1)
    """
    views = module_text().rpartition("export default")[0]
    own = resources.files("cl_magic.widgets").joinpath("js")

    def texts(names: tuple[str, ...]) -> str:
        return glued([own.joinpath(f"{name}.js").read_text(encoding="utf-8") for name in names])

    given = "{ PICKER_STYLE, NDRANGE_PICKER_STYLE, pickerMark, pickerForm, formKey, withDimensions }"
    picker = f"const {given} = (() => {{\n{texts(_PICKER)}\nreturn {given};\n}})();\n"
    return f"{views}\n{picker}\n{texts(_OWN)}\nexport default {{ render: renderPanel }};\n"
