"""What a listing does when the engine's process dies of the question: an engine that does so, at the seam."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from cl_magic.build.result import BuildResult, KernelInfo, WorkGroupInfo
from cl_magic.build.spec import ProgramSpec
from cl_magic.clc.signature import KernelSignature
from cl_magic.engine.commands import Build, Extract
from cl_magic.engine.inline import FinishedTicket
from cl_magic.errors import WorkerDiedError
from cl_magic.launch.limits import DeviceInfo
from cl_magic.listings import Listings
from cl_magic.reflect.listing import Extracted

PTX = (Path(__file__).parents[1] / "unit/reflect/driver_580_sm90.ptx").read_bytes()
GPU = DeviceInfo("9:9", "A GPU that is not here", "NVIDIA CUDA", "OpenCL 3.0", ("gpu",))
KERNELS = tuple(KernelInfo(KernelSignature(name), WorkGroupInfo(1024, 32)) for name in ("saxpy", "turn"))


class _Dying:
    """An engine whose process ends when it is asked for the code of a build with debug information."""

    name = "worker"

    def __init__(self, *, always: bool = False, refuses: bool = False) -> None:
        self.always, self.refuses = always, refuses
        self.built: dict[str, ProgramSpec] = {}

    def submit(self, command: Any, arrays: Sequence[Any] = ()) -> FinishedTicket:
        assert not arrays
        if isinstance(command, Build):
            self.built[command.spec.digest] = command.spec
            ok = not (self.refuses and "-nv-line-info" in command.spec.options)
            return FinishedTicket(BuildResult(ok=ok, spec=command.spec, status="" if ok else "INVALID_BUILD_OPTIONS"))
        assert isinstance(command, Extract)
        options = self.built[command.program].options
        if self.always or {"-g", "-nv-line-info"} & set(options):
            return FinishedTicket(error=WorkerDiedError("the worker ended with SIGSEGV"))
        return FinishedTicket(Extracted(PTX, options=" ".join(options)))


def _listings(engine: Any, *options: str) -> Listings:
    spec = ProgramSpec("kernel void saxpy() {}", options)
    return Listings(BuildResult(ok=True, spec=spec, kernels=KERNELS), GPU, engine)


@pytest.mark.parametrize(("options", "debug"), [((), True), (("-g", "-DN=4"), False), (("-nv-line-info",), True)])
def test_a_build_without_debug_information_stands_in_and_it_is_said(options: tuple[str, ...], *, debug: bool) -> None:
    engine = _Dying()
    listing = _listings(engine, *options).listing("ptx", debug=debug)
    assert [kernel.name for kernel in listing.kernels] == ["saxpy", "turn"]
    assert any("died" in note for note in listing.notes)
    last = list(engine.built.values())[-1]
    assert last.options == tuple(option for option in options if option.startswith("-D"))


def test_a_compiler_that_refuses_debug_information_is_told_and_the_code_is_that_of_the_build() -> None:
    listing = _listings(_Dying(refuses=True)).listing("ptx", debug=True)
    assert listing.kernels
    assert any("INVALID_BUILD_OPTIONS" in note for note in listing.notes)


def test_a_death_without_debug_information_is_the_error() -> None:
    with pytest.raises(WorkerDiedError):
        _listings(_Dying(always=True)).listing("ptx")
    with pytest.raises(WorkerDiedError):
        _listings(_Dying(always=True)).listing("ptx", debug=True)


def test_the_code_is_asked_for_once() -> None:
    engine = _Dying()
    listings = _listings(engine)
    first = listings.listing("ptx")
    engine.always = True
    assert listings.listing("ptx") == first
    assert listings.listing("binary").data == PTX


def test_k_69_a_dead_driver_leaves_a_folder_that_says_so(tmp_path: Path) -> None:
    folder = _listings(_Dying(always=True)).dump(tmp_path)
    index = (folder / "index.txt").read_text()
    assert "ptx: the worker ended with SIGSEGV" in index
    assert (folder / "build.log").exists()
