"""The NDRange as a value, and how Python values become one (OpenCL 1.2, 3.2 and 5.8)."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class NDRange:
    """Global size, local size and offset in x, y, z order; 1 to 3 dimensions, work-items everywhere.

    `local_size` is None where nobody chose one yet.
    """

    global_size: tuple[int, ...]
    local_size: tuple[int, ...] | None = None
    global_offset: tuple[int, ...] | None = None

    @property
    def dimensions(self) -> int:
        """1, 2 or 3."""
        return len(self.global_size)

    @property
    def offset(self) -> tuple[int, ...]:
        """Global offset, zeros where none was given."""
        return self.global_offset or (0,) * self.dimensions
