"""Did-you-mean for words on a magic line."""

from __future__ import annotations

import difflib
from collections.abc import Iterable

_CUTOFF = 0.7  # with less, every other name of two letters is near to one of a single letter


def nearest(word: str, known: Iterable[str]) -> str:
    """Return the known word that `word` was probably meant to be, "" where none is near.

    Parameters
    ----------
    word : str
        What was typed.
    known : iterable of str
        What could have been typed.

    Examples
    --------
    >>> nearest("--glbal", ["--global", "--local"])
    '--global'
    >>> nearest("Blur", ["sobel", "blur"])
    'blur'
    >>> nearest("xyz", ["blur"])
    ''
    """
    by_lower = {candidate.lower(): candidate for candidate in known}
    found = difflib.get_close_matches(word.lower(), by_lower, n=1, cutoff=_CUTOFF)
    return by_lower[found[0]] if found else ""
