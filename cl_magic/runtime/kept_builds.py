"""Builds kept on disk, so that another process need not compile again: facts of all, binaries where it is safe.

PoCL is never asked for a binary: that compiles every kernel, and has ended the process where the program was built with
``-g``. It keeps builds itself, and is told to do so inside our folder. What a binary does not hold, argument facts and
warnings (OpenCL 1.2, 5.7.3), is kept beside it.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from cl_magic.build.result import BuildResult
from cl_magic.build.spec import ProgramSpec
from cl_magic.cache.keys import driver_variables, key_of
from cl_magic.cache.store import Store
from cl_magic.launch.limits import DeviceInfo
from cl_magic.runtime.context import DeviceContext
from cl_magic.runtime.handing import Handed
from cl_magic.runtime.kernels import kernels_of
from cl_magic.runtime.opencl import opencl
from cl_magic.runtime.printf import captured_output

_WITH_BINARY = ("intel", "nvidia")
_KEEP_THEMSELVES = ("pocl",)
_OF_TODAY = re.compile(r"\b__(?:DATE|TIME|TIMESTAMP)__\b|^[ \t]*#[ \t]*include[ \t]+[^\"<\s]", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class KeptBuild:
    """A successful build as it is kept: its result, the text that the compiler got, the driver's binary."""

    result: BuildResult
    text: str
    binary: bytes = b""


@dataclass(frozen=True, slots=True)
class Loaded:
    """A program that was not compiled again: PyOpenCL's objects and the first build's result."""

    raw: Any
    kernels: dict[str, Any]
    result: BuildResult


class KeptBuilds:
    """Builds of one process's devices, in a store that all processes of the user share.

    Parameters
    ----------
    find_store : callable
        The store, None where nothing is to be kept; asked at each build, as the folder may be cleared or go away.
    """

    def __init__(self, find_store: Callable[[], Store | None]) -> None:
        self._find_store = find_store
        self._said = ""

    def load(self, spec: ProgramSpec, handed: Handed, where: DeviceContext) -> Loaded | None:
        """The program as an earlier process built it; None where it has to be compiled."""
        store = self._store(spec, where)
        if store is None:
            return None
        key = _key(spec, where.info)
        kept: KeptBuild | None = store.get(key, KeptBuild)
        if kept is None or kept.text != handed.plain:
            return None
        loaded = _made_again(kept, handed, where)
        if loaded is None:
            store.forget(key)
        return loaded

    def keep(self, result: BuildResult, raw: Any, handed: Handed, where: DeviceContext) -> str:  # noqa: ANN401 - PyOpenCL's
        """Keep a successful build; a sentence where the disk does not take it, said once."""
        store = self._store(result.spec, where)
        if store is None:
            return ""
        with captured_output():
            binary = _binary(raw) if where.info.family in _WITH_BINARY else b""
        if not binary and where.info.family in _WITH_BINARY:
            return ""
        store.put(_key(result.spec, where.info), KeptBuild(result, handed.plain, binary))
        if not store.trouble or store.trouble == self._said:
            return ""
        self._said = store.trouble
        return f"the build is not kept for other processes: {store.folder.parent}: {store.trouble}"

    def _store(self, spec: ProgramSpec, where: DeviceContext) -> Store | None:
        known = where.info.family in (*_WITH_BINARY, *_KEEP_THEMSELVES)
        texts = (spec.text, *(text for _, text in spec.headers))
        return self._find_store() if known and not any(map(_OF_TODAY.search, texts)) else None


def _key(spec: ProgramSpec, info: DeviceInfo) -> str:
    """All that a build depends on; a driver's variables and the device's limits are part of it."""
    device = (
        *(info.name, info.platform_name, info.platform_version, info.vendor, info.driver_version, info.device_version),
        *(info.opencl_c_version, str(info.max_work_group_size), str(info.address_bits), *info.extensions),
    )
    headers = [part for pair in spec.headers for part in pair]
    return key_of("build", [spec.digest, *headers, "", *spec.options, "", *device, "", *driver_variables()])


def _made_again(kept: KeptBuild, handed: Handed, where: DeviceContext) -> Loaded | None:
    """The program from its binary, or from its text by a driver that keeps builds itself."""
    cl = opencl()
    with captured_output():
        try:
            if kept.binary:
                raw = cl._cl._Program(where.context, [where.handle], [kept.binary])  # noqa: SLF001 - the public class caches
            else:
                raw = cl._cl._Program(where.context, handed.text)  # noqa: SLF001 - as above
            raw._build(handed.options.encode(), [where.handle])  # noqa: SLF001 - as above
            kernels = kernels_of(raw, handed.text)
        except cl.Error:
            return None  # another driver behind the same version, or a binary for another processor
    whole = set(kernels) == {kernel.name for kernel in kept.result.kernels}
    return Loaded(raw, kernels, kept.result) if whole else None


def _binary(raw: Any) -> bytes:  # noqa: ANN401 - PyOpenCL's program
    cl = opencl()
    try:
        found = raw.get_info(cl.program_info.BINARIES)
    except cl.Error:
        return b""
    return bytes(found[0]) if found and found[0] else b""
