"""When a running loop is looked at: often enough for a picture that moves, and seldom enough not to slow it."""

from __future__ import annotations

from dataclasses import dataclass

FRAMES_A_SECOND = 25
SHARE = 0.12
"""Part of the time that looking may take."""
_STEP = 4.0


@dataclass(slots=True)
class Pace:
    """Counts launches from one look to the next.

    How many that are follows from how fast launches end: where they are only enqueued, the host runs ahead, and its
    clock says nothing.

    Attributes
    ----------
    interval_s : float
        Seconds from one frame to the next.
    every : float
        Launches from one look to the next, as known so far.

    Examples
    --------
    >>> pace = Pace(interval_s=0.04)
    >>> pace.launched(0.0), pace.launched(0.001)
    (True, True)
    >>> pace.ended(0.001, 1, 0.0); pace.ended(0.003, 1, 0.0)
    >>> pace.every
    4.0
    """

    interval_s: float = 1 / FRAMES_A_SECOND
    every: float = 1.0
    since: int = 0
    last_s: float = float("-inf")
    _ended_s: float | None = None
    _cost_s: float = 0.0

    def launched(self, now_s: float, waiting: int = 0) -> bool:
        """Count a launch; whether to look after it. `waiting`: looks that are on their way."""
        self.since += 1
        if self.since >= self.every:
            return True
        return waiting == 0 and now_s - self.last_s >= 2 * max(self.interval_s, self._cost_s / SHARE)

    def taken(self, now_s: float) -> int:
        """Note a look; how many launches it stands for."""
        count, self.since, self.last_s = self.since, 0, now_s
        return count

    def ended(self, at_s: float, launches: int, cost_s: float) -> None:
        """Note that a look, `launches` after the one before, was ready, and what it cost."""
        before, self._ended_s, self._cost_s = self._ended_s, at_s, cost_s
        if before is None or launches < 1:
            return
        each = max(1e-7, (at_s - before) / launches)
        wanted = max(self.interval_s, cost_s / SHARE) / each
        self.every = max(1.0, min(self.every * _STEP, max(self.every / _STEP, wanted)))
