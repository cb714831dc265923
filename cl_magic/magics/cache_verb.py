"""``%opencl cache``: what is kept on disk, where, and why nothing is; ``%opencl cache clear`` empties it."""

from __future__ import annotations

from cl_magic.cache.folder import VARIABLE
from cl_magic.cache.kept import CacheState
from cl_magic.display.quantity import capacity, counted
from cl_magic.magics.table import Table


def cache_table(state: CacheState, *, cleared: bool = False) -> Table:
    """The table of a cache's state, before it was cleared where it was.

    Examples
    --------
    >>> from cl_magic.cache.folder import CacheFolder
    >>> cache_table(CacheState(CacheFolder(None, "it is switched off"))).title
    ('no cache', 'it is switched off')
    """
    outside = tuple(f"not in this folder, and not cleared: {words}" for words in state.outside)
    if state.folder.path is None:
        remedy = f"{VARIABLE} names another folder, or says off"
        return Table(("no cache", state.folder.reason), notes=(remedy, *outside))
    rows = [
        ("builds", counted(state.builds.entries, "entry", "entries"), capacity(state.builds.nbytes)),
        ("front end", counted(state.analyses.entries, "entry", "entries"), capacity(state.analyses.nbytes)),
        *((place.rpartition("/")[2], "the driver's own", capacity(nbytes)) for place, nbytes in state.drivers),
    ]
    first = (
        f"{capacity(state.nbytes)} removed" if cleared else f"{capacity(state.nbytes)} of {capacity(state.limit_bytes)}"
    )
    folder = str(state.folder.path)
    said = f"%opencl cache clear empties it; {VARIABLE} names another folder or says off"
    notes = outside if cleared else (*outside, said)
    return Table((first, folder), ("of", "entries", "size"), tuple(rows), notes)
