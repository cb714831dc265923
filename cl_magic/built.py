"""What a kernel needs of the program that it belongs to."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol

from cl_magic.build.result import BuildResult, KernelInfo
from cl_magic.build.spec import ProgramSpec
from cl_magic.engine.protocol import Engine
from cl_magic.errors import KernelNotFoundError
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


def kernel_there(name: str, old: Built, new: Built) -> KernelInfo:
    """A kernel of a program, in a build of it that stands in its place: of an edited header, or for another device.

    Raises
    ------
    KernelNotFoundError
        That build has no such kernel: a header took it away, or a condition on the device does.
    """
    found = next((info for info in new.result.kernels if info.name == name), None)
    if found is not None:
        return found
    kernels = tuple(info.name for info in new.result.kernels)
    known = ", ".join(kernels) or "none"
    changed = _changed_headers(old)
    if changed:
        why = f"since {', '.join(changed)} changed, the program has no kernel {name!r}; it has {known}"
        remedy = f"run the cell that includes {changed[0]} again and call one of its kernels, or put {name!r} back"
    else:
        why = f"built for {new.device.short_name}, the program has no kernel {name!r}; it has {known}"
        remedy = "look for an #if around it that asks for the device"
    raise KernelNotFoundError(why, remedy=remedy, name=name, kernels=kernels, headers=changed)


def _changed_headers(program: Built) -> tuple[str, ...]:
    """Names of the headers whose text is another one now, of those that went and of those that came."""
    if program.newer_spec is None:
        return ()
    before, now = _headers(program.result.spec), _headers(program.newer_spec)
    return tuple(sorted({name for name, _ in before ^ now}))


def _headers(spec: ProgramSpec) -> set[tuple[str, str]]:
    """Headers of a program, those of the objects that it is linked of too."""
    return set(spec.headers).union(*map(_headers, spec.parts))
