"""What a sweep found: for each setting how long the kernel took, or why it did not run."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from cl_magic import show
from cl_magic.record.durations import median_ns
from cl_magic.record.numbers import product

Outcome = Literal["ran", "refused", "not built", "failed", "differs"]


@dataclass(frozen=True, slots=True)
class SweepRow:
    """One setting.

    Attributes
    ----------
    setting : mapping of str to object
        Value by name: a size (int, tuple or None for automatic), or a macro's value.
    outcome : {"ran", "refused", "not built", "failed", "differs"}
        "differs": it ran, and its result is not that of the others.
    durations_ns : tuple of int
        Of the timed runs.
    why : str
        Reason, where it did not run well; the first line of the error.
    local_size : tuple of int or None
        That the launch had, chosen ones included.
    program : str
        Digest of the program that ran: rows that differ in sizes only share it.
    """

    setting: Mapping[str, Any]
    outcome: Outcome
    durations_ns: tuple[int, ...] = ()
    why: str = ""
    local_size: tuple[int, ...] | None = None
    program: str = ""

    @property
    def median_ns(self) -> int:
        """Median of the timed runs; 0 where none ran."""
        return median_ns(self.durations_ns)


@dataclass(frozen=True)
class SweepResult(show.Shown):
    """All settings of a sweep that were tried.

    Attributes
    ----------
    kernel, device : str
    names : tuple of str
        What was varied, in the order of the call.
    rows : tuple of SweepRow
        In the order they ran.
    total : int
        Settings that were asked for; more than rows where it was interrupted.
    repeat, warmup : int
    baseline_ns : int
        Median with nothing changed; 0 where that did not run.
    compared : tuple of str
        Arrays whose contents were compared after each setting.
    interrupted : bool
    """

    kernel: str
    device: str
    names: tuple[str, ...]
    rows: tuple[SweepRow, ...]
    total: int
    repeat: int = 1
    warmup: int = 0
    baseline_ns: int = 0
    compared: tuple[str, ...] = ()
    interrupted: bool = False
    values: Mapping[str, tuple[Any, ...]] = field(default_factory=dict)
    """All values of each name, in order."""

    @property
    def best(self) -> SweepRow | None:
        """The fastest setting with the right result; None where none ran."""
        ran = [row for row in self.rows if row.outcome == "ran"]
        return min(ran, key=lambda row: row.median_ns, default=None)

    def plot(self, **options: Any) -> Any:  # noqa: ANN401 - a Matplotlib Axes
        """Heat map of the medians (bars where one name was varied), as Matplotlib's Axes, or into the Axes `ax`."""
        show.load_view("plot")
        return show.plot_of(self, "sweep", **options)


def value_words(value: Any) -> str:  # noqa: ANN401 - a size or a macro's value
    """A value in short.

    Examples
    --------
    >>> value_words((16, 8)), value_words(None), value_words(0.5)
    ('16 × 8', 'automatic', '0.5')
    """
    if value is None:
        return "automatic"
    return product(tuple(value)) if isinstance(value, tuple | list) else str(value)


def grid_of(result: SweepResult) -> tuple[str, str, dict[tuple[int, int], SweepRow]] | None:
    """Two names that span a heat map, and the best row of each pair of their values; None where fewer were varied.

    The two with the most values; of more names the best of the rest stands in a cell.

    Examples
    --------
    >>> rows = (SweepRow({"A": 1, "B": 2}, "ran", (5,)),)
    >>> result = SweepResult("k", "d", ("A", "B"), rows, 1, values={"A": (1,), "B": (2,)})
    >>> grid_of(result) is None
    True
    """
    varied = [name for name in result.names if len(result.values[name]) > 1]
    if len(varied) < 2:  # noqa: PLR2004 - two axes
        return None
    across, down = sorted(varied, key=lambda name: -len(result.values[name]))[:2]
    cells: dict[tuple[int, int], SweepRow] = {}
    for row in result.rows:
        place = (result.values[down].index(row.setting[down]), result.values[across].index(row.setting[across]))
        known = cells.get(place)
        if known is None or _rank(row) < _rank(known):
            cells[place] = row
    return across, down, cells


def _rank(row: SweepRow) -> tuple[bool, int]:
    return row.outcome != "ran", row.median_ns
