"""What a kernel needs of the program that it belongs to."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol

from cl_magic.build.result import BuildResult
from cl_magic.build.spec import ProgramSpec
from cl_magic.engine.protocol import Engine
from cl_magic.launch.limits import DeviceInfo
from cl_magic.launch.set_sizes import Sizes
from cl_magic.record.run import RunRecord


class Built(Protocol):
    """A program that was built on a device; `result`, `device` and `engine` are what its kernels share.

    `newer_spec` is what its next launch builds: a header was edited.
    """

    result: BuildResult
    device: DeviceInfo
    engine: Engine
    newer_spec: ProgramSpec | None

    @property
    def timeout(self) -> float | None:
        """Seconds that a launch may take where it does not say."""

    def on(self, device: Any, engine: str | None, values: Sequence[Any]) -> Built:  # noqa: ANN401 - any selector
        """The same program built for another device or engine; itself where nothing changes."""

    def variant(self, prelude: str) -> tuple[str, int]:
        """Digest of the program with `prelude` in front, built once, and the time that took in ns."""

    def specialized(self, kernel: str, sizes: Sizes) -> tuple[Built, Sizes]:
        """The program built once for sizes of one kernel, and these sizes with what a record says of it."""

    def keep(self, record: RunRecord) -> RunRecord:
        """Remember a record in the session and return it."""
