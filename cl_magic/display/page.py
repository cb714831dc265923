"""The frame of an output: one style element, one section with a name, ids of its own."""

from __future__ import annotations

import functools
import itertools
import re
import zlib
from importlib import resources

from cl_magic.display.escape import escape

ID = "\ue000"
"""Stands for the output's own prefix in ids; :func:`wrap` replaces it. `escape` never lets this character through."""

_counter = itertools.count(1)


@functools.cache
def style() -> str:
    """The style sheet of every output, comments and indentation left out.

    Examples
    --------
    >>> ".clm" in style() and "/*" not in style()
    True
    """
    text = resources.files("cl_magic.display").joinpath("clm.css").read_text(encoding="utf-8")
    return re.sub(r"\s*\n\s*", "\n", re.sub(r"/\*.*?\*/", "", text, flags=re.DOTALL)).strip()


def wrap(html_body: str, *, label: str = "", role: str = "") -> str:
    """Make a body an output: style, section with role and name, ids that no other output of the page has.

    Parameters
    ----------
    html_body : str
        Every string in it went through :func:`~cl_magic.display.escape.escape`.
    label : str
        Name for screen readers, not escaped yet.
    role : str
        ``alert`` for what must be read at once; a named region otherwise.

    Examples
    --------
    >>> wrap("<p>7</p>", label="NDRange of <f>").endswith('aria-label="NDRange of &lt;f&gt;"><p>7</p></section>')
    True
    """
    # The same output may stand in a page twice, one folded: then ids must differ, or patterns are not found.
    prefix = f"c{next(_counter):x}{zlib.crc32(html_body.encode('utf-8', 'replace')):08x}-"
    attributes = f' role="{escape(role)}"' if role else ""
    if label:
        attributes += f' aria-label="{escape(label)}"'
    body = html_body.replace(ID, prefix)
    return f'<style>{style()}</style><section class="clm"{attributes}>{body}</section>'
