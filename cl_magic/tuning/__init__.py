"""Try sizes and macros of a kernel: how long each takes, whether each gives the same result, which is the best."""

from __future__ import annotations

from cl_magic.tuning.sweeping import Sweep as Sweep
from cl_magic.tuning.sweeping import sweep as sweep
