"""The one way a string gets into an output: control characters made visible, then HTML's own characters escaped.

Kernel names, labels, build logs and printf are written by others. What could end an element, hide text or turn its
direction is shown as what it is, never passed through.
"""

from __future__ import annotations

import html
import re
import unicodedata

_ANSI = re.compile(r"\x1b\[[0-9;?]*[ -/]*[@-~]")
_KEPT = frozenset("\n\t\u202f")
_HIDDEN_CATEGORIES = frozenset({"Cc", "Cf", "Co", "Cs", "Cn", "Zl", "Zp"})
_CONTROL_PICTURES = 0x2400
_DELETE = 0x7F


def _named(character: str) -> str:
    code = ord(character)
    if code < ord(" "):
        return chr(_CONTROL_PICTURES + code)
    return "␡" if code == _DELETE else f"[U+{code:04X}]"


def visible(text: str) -> str:
    r"""Make control characters, direction marks, private and unassigned characters visible; keep newline and tab.

    ANSI colour codes become ``␛[31m``, NUL ``␀``, a right-to-left override ``[U+202E]``, a lone surrogate its number.
    Carriage returns before a newline are dropped.

    Examples
    --------
    >>> visible("a\x00b\x1b[31mred\u202e")
    'a␀b␛[31mred[U+202E]'
    """
    text = text.replace("\r\n", "\n")
    if text.isascii() and text.isprintable():
        return text
    return "".join(_named(c) if c not in _KEPT and unicodedata.category(c) in _HIDDEN_CATEGORIES else c for c in text)


def escape(text: str) -> str:
    """HTML text or attribute value for any string.

    Examples
    --------
    >>> escape('</style><script>"x"')
    '&lt;/style&gt;&lt;script&gt;&quot;x&quot;'
    """
    return html.escape(visible(text), quote=True)


def plain(text: str, narrow: str = " ") -> str:
    r"""Text form: controls visible, ANSI colour codes left out, narrow spaces as `narrow`, tabs as plain spaces.

    Examples
    --------
    >>> plain("1\u202f024 B\x1b[0m")
    '1 024 B'
    """
    return visible(_ANSI.sub("", text)).replace("\u202f", narrow).expandtabs(4)
