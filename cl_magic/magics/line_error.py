"""Errors of a magic line, with the line and a mark under the place."""

from __future__ import annotations

from dataclasses import dataclass

from cl_magic.errors import MagicLineError


@dataclass(frozen=True, slots=True)
class Place:
    """Characters [start, end), counted from 0, of a magic line without its ``%%opencl``."""

    line: str
    start: int
    end: int


def line_error(message: str, place: Place, remedy: str = "", **facts: str) -> MagicLineError:
    """Make the error for a place on a magic line.

    Parameters
    ----------
    message : str
        One sentence: what is wrong.
    place : Place
    remedy : str
        What to type instead.
    **facts : str
        Further facts.

    Returns
    -------
    MagicLineError
        With the facts ``line``, ``position`` (from 1, as columns are counted) and ``token``.

    Examples
    --------
    >>> print(line_error("unknown flag --glbal", Place("-w --glbal=4", 3, 12), "did you mean --global?"))
    unknown flag --glbal
      -w --glbal=4
         ^~~~~~~~~
    → did you mean --global?
    """
    width = max(place.end - place.start, 1)
    shown = place.line.replace("\t", " ")
    text = f"{message}\n  {shown}\n  {' ' * place.start}^{'~' * (width - 1)}"
    token = place.line[place.start : place.end]
    return MagicLineError(text, remedy=remedy, line=place.line, position=place.start + 1, token=token, **facts)
