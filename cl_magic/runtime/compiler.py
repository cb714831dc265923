"""Builds programs with the device's compiler, and keeps what was built by device and digest.

PyOpenCL's own build is passed by: it caches, glues the logs of devices into one text, and says a failure three times.
"""

from __future__ import annotations

import time
from dataclasses import dataclass, replace
from typing import Any

from cl_magic.build.logs import ParsedLog, parse_log
from cl_magic.build.result import BuildResult, KernelInfo
from cl_magic.build.spec import ProgramSpec
from cl_magic.errors import EngineError, KernelNotFoundError
from cl_magic.launch.limits import DeviceInfo
from cl_magic.runtime.context import DeviceContext
from cl_magic.runtime.handing import Handed, Handing
from cl_magic.runtime.kept_builds import KeptBuilds
from cl_magic.runtime.kernels import describe_kernel, kernels_of, name_on_device
from cl_magic.runtime.language import LanguageProbe
from cl_magic.runtime.linker import Attempt, attempt_build, attempt_link, link_options
from cl_magic.runtime.loading import attempt_load
from cl_magic.runtime.opencl import opencl


@dataclass(frozen=True, slots=True)
class BuiltProgram:
    """A program on a device: its result as a value, and the live objects that launches need."""

    result: BuildResult
    raw: Any
    kernels: dict[str, Any]
    prints: bool = True
    """Whether running a kernel can write to the process's descriptors: printf, or a simulator's findings."""

    def kernel(self, name: str) -> Any:  # noqa: ANN401 - PyOpenCL's kernel
        """The one kernel object of that name.

        Raises
        ------
        KernelNotFoundError
            The program has no such kernel; the message lists those it has.
        """
        if name not in self.kernels:
            known = ", ".join(self.kernels) or "none"
            message = f"the program has no kernel {name!r}; its kernels: {known}"
            raise KernelNotFoundError(message, remedy="use one of these names", kernel=name, known=tuple(self.kernels))
        return self.kernels[name]

    def new_kernel(self, name: str) -> Any:  # noqa: ANN401 - PyOpenCL's kernel
        """A kernel object of its own, whose arguments nobody else sets."""
        return opencl().Kernel(self.raw, name_on_device(self.kernel(name)))


class Compiler:
    """Builds, and remembers what succeeded; after a failed build nothing is kept of it."""

    def __init__(self, kept_builds: KeptBuilds | None = None) -> None:
        self._kept: dict[tuple[DeviceContext, str], BuiltProgram] = {}
        self._on_disk = kept_builds
        self._probe = LanguageProbe()
        self._handing = Handing()

    def build(self, spec: ProgramSpec, where: DeviceContext) -> BuildResult:
        """Build a program, or find it built; a failure is a result too."""
        handed = self._handing.give(spec, where.info.family)
        kept = self._kept.get((where, spec.digest))
        if kept is not None and not kept.result.variable_bytes:  # another build resets variables (OpenCL C 2.0, 6.5.1)
            return _remembered(kept.result, spec, handed, where.info)
        loaded = self._loaded(spec, handed, where)
        if loaded is not None:
            return loaded
        attempt, notes = self._attempt(spec, handed, where)
        log = self._handing.as_typed(attempt.log)
        parsed = _parsed(log, spec, handed, where.info)
        result = BuildResult(
            ok=not attempt.status,
            spec=spec,
            device_id=where.info.id,
            device_name=where.info.name,
            platform_name=where.info.platform_name,
            log=log,
            log_extra=attempt.extra,
            diagnostics=parsed.diagnostics,
            unparsed=parsed.unparsed,
            language_version=self._probe.version(where, handed.options),
            duration_ns=attempt.duration_ns,
            status=attempt.status,
            options_used=" ".join(link_options(spec.options, where.info.family)[0]) if spec.parts else handed.options,
            notes=notes,
        )
        if not result.ok:
            return result
        result = self._keep(result, attempt.raw, parsed, where)
        trouble = self._on_disk.keep(result, attempt.raw, handed, where) if self._on_disk and _is_whole(spec) else ""
        return replace(result, notes=(*result.notes, trouble)) if trouble else result

    def has(self, digest: str, where: DeviceContext) -> bool:
        """Whether a program was built on this device in this context."""
        return (where, digest) in self._kept

    def built(self, digest: str, where: DeviceContext) -> BuiltProgram:
        """A program that was built on this device.

        Raises
        ------
        EngineError
            It was not, or its build failed.
        """
        kept = self._kept.get((where, digest))
        if kept is None:
            message = f"this engine has no program {digest[:12]} on {where.info.short_name}"
            raise EngineError(message, remedy="build it first", program=digest, device=where.info.id)
        return kept

    def handed(self, spec: ProgramSpec, where: DeviceContext) -> Handed:
        """What the device's compiler gets for a specification."""
        return self._handing.give(spec, where.info.family)

    def close(self) -> None:
        """Let go of all programs."""
        self._kept.clear()
        self._handing.close()

    def _attempt(self, spec: ProgramSpec, handed: Handed, where: DeviceContext) -> tuple[Attempt, tuple[str, ...]]:
        """Compile, or compile the parts and link them; parts that are known are not compiled again (S-35)."""
        if spec.form != "source":
            return attempt_load(spec, where), ()
        if not spec.parts:
            return attempt_build(handed, where, compile_only=spec.stage == "object"), handed.notes
        raws = []
        for part in spec.parts:
            varied = replace(part, prelude=spec.prelude + part.prelude) if spec.prelude else part
            made = self.build(varied, where)
            if not made.ok:
                return Attempt(None, made.status, made.log, made.log_extra, made.duration_ns), made.notes
            raws.append(self._kept[where, varied.digest].raw)
        options, notes = link_options(spec.options, where.info.family)
        return attempt_link(raws, options, where), notes

    def _loaded(self, spec: ProgramSpec, handed: Handed, where: DeviceContext) -> BuildResult | None:
        """The result of another process's build, marked, with that build's log and warnings (S-15)."""
        started_ns = time.monotonic_ns()
        found = self._on_disk.load(spec, handed, where) if self._on_disk and _is_whole(spec) else None
        if found is None:
            return None
        result = replace(
            _remembered(found.result, spec, handed, where.info), device_id=where.info.id, notes=handed.notes
        )
        result = replace(result, duration_ns=time.monotonic_ns() - started_ns)
        self._kept[where, spec.digest] = BuiltProgram(result, found.raw, found.kernels, _prints(spec, where.info))
        return result

    def _keep(self, result: BuildResult, raw: Any, parsed: ParsedLog, where: DeviceContext) -> BuildResult:  # noqa: ANN401
        kernels = kernels_of(raw, result.spec.text) if result.spec.stage == "program" else {}
        infos: tuple[KernelInfo, ...] = tuple(
            replace(describe_kernel(name, kernel, where.handle), notes=parsed.remarks_of(name))
            for name, kernel in kernels.items()
        )
        result = replace(result, kernels=infos, variable_bytes=_variable_bytes(raw, where))
        prints = _prints(result.spec, where.info)
        self._kept[where, result.spec.digest] = BuiltProgram(result, raw, kernels, prints)
        return result


def _is_whole(spec: ProgramSpec) -> bool:
    """Whether it is built in one step: objects, libraries and what is linked of them stay in their process."""
    return spec.stage == "program" and not spec.parts and spec.form == "source"


def _prints(spec: ProgramSpec, info: DeviceInfo) -> bool:
    texts = (spec.text, *spec.options, *(text for _, text in spec.headers))
    return info.simulator or any("printf" in text or "#include" in text for text in texts)


def _variable_bytes(raw: Any, where: DeviceContext) -> int:  # noqa: ANN401 - PyOpenCL's program
    """Bytes of variables at program scope (OpenCL 2.0, 5.8.8); 0 where the driver does not know the question."""
    cl = opencl()
    try:
        return int(raw.get_build_info(where.handle, cl.program_build_info.GLOBAL_VARIABLE_TOTAL_SIZE))
    except (cl.Error, TypeError, AttributeError):
        return 0


def _parsed(log: str, spec: ProgramSpec, handed: Handed, info: DeviceInfo) -> ParsedLog:
    return parse_log(log, info.family, spec.source, handed.source_map, prelude=handed.prelude)


def _remembered(result: BuildResult, spec: ProgramSpec, handed: Handed, info: DeviceInfo) -> BuildResult:
    """The result of an earlier build for the same text, with positions where that text stands now."""
    if spec.source_map == result.spec.source_map:
        return replace(result, spec=spec, from_cache=True)
    diagnostics = _parsed(result.log, spec, handed, info).diagnostics
    return replace(result, spec=spec, from_cache=True, diagnostics=diagnostics)
