"""A session: the current device, the programs built, the last records. ``clm.build`` is the default session's."""

from __future__ import annotations

import dataclasses
import threading
from collections import OrderedDict, deque
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from cl_magic.array import use_default_place
from cl_magic.build.options import NO_DEFINES, parse_options, with_defines
from cl_magic.build.source import prepare_source
from cl_magic.build.source_map import SourceMap
from cl_magic.build.spec import ProgramSpec
from cl_magic.build.specifying import program_spec
from cl_magic.build.virtual_headers import HeadersLike, checked_headers
from cl_magic.building import built_on
from cl_magic.composing import headline
from cl_magic.device import device as find_device
from cl_magic.device import engine_for
from cl_magic.device import reports as driver_reports
from cl_magic.engine.foreign import foreign_place
from cl_magic.engine.protocol import Engine
from cl_magic.errors import (
    BuildError,
    BuildTimeoutError,
    ClMagicError,
    DeviceNotFoundError,
    LaunchTimeoutError,
    NoPlatformError,
)
from cl_magic.launch.languages import takes_language
from cl_magic.launch.limits import DeviceInfo, DriverReport
from cl_magic.program import Program
from cl_magic.record.run import RunRecord
from cl_magic.show import load_view

KEPT_PROGRAMS = 64
KEPT_RECORDS = 100
KEPT_BYTES = 256 * 1024 * 1024

_TRIAL = "kernel void twice(global int *x) { x[get_global_id(0)] *= 2; }"
_TRIED = 1024

OptionsLike = str | Sequence[str | Path]


class Session:
    """Builds programs and remembers what was built and run.

    Parameters
    ----------
    device : str, int or DeviceInfo, optional
        The device of programs that name none: ``"gpu"``, ``"cpu"``, ``"pocl"``, ``"0:1"``, part of a name. By default
        ``PYOPENCL_CTX`` where set, else the best real device (never a simulator).
    engine : {"worker", "inline"}
        What executes: a process of its own, which a bad kernel may kill, or this one.

    Attributes
    ----------
    timeout : float or None
        Seconds that a launch may take where its call says nothing; None: without end.

    Examples
    --------
    >>> session = Session()
    >>> session.build("kernel void f(global int *x) { x[0] = 1; }").kernel_names
    ('f',)
    """

    def __init__(self, device: str | int | DeviceInfo | None = None, engine: str = "worker") -> None:
        self.engine = engine
        self.timeout: float | None = None
        self._selector = device
        self._programs: OrderedDict[tuple[Any, ...], Program] = OrderedDict()
        self._records: deque[RunRecord] = deque()
        self._kept_bytes = 0
        self._lock = threading.RLock()
        self._listeners: list[Callable[[DeviceInfo], None]] = []

    @property
    def device(self) -> DeviceInfo:
        """The current device; found at the first use."""
        return self.resolve(self._selector)

    @property
    def records(self) -> tuple[RunRecord, ...]:
        """The last records, oldest first: at most 100, and 256 MiB of captures."""
        return tuple(self._records)

    @property
    def programs(self) -> tuple[Program, ...]:
        """The programs that are kept, oldest first."""
        return tuple(self._programs.values())

    def select(self, selector: str | int | DeviceInfo | None) -> DeviceInfo:
        """Make a device the current one; None: the default.

        Raises
        ------
        DeviceNotFoundError, NoPlatformError
            Nothing fits; the current device stays.
        """
        if selector is None:
            self._selector = None  # the default, whichever that is at the next use
        found = self.resolve(selector)
        self._selector = selector
        for listener in tuple(self._listeners):
            listener(found)
        return found

    def listen(self, listener: Callable[[DeviceInfo], None]) -> Callable[[], None]:
        """Have every selection told to `listener`; the function returned ends that."""
        self._listeners.append(listener)
        return lambda: self._listeners.remove(listener)

    def resolve(self, selector: Any) -> DeviceInfo:  # noqa: ANN401 - any selector
        """Return the device a selector means; None means the current one."""
        wanted = self._selector if selector is None else selector
        return wanted if isinstance(wanted, DeviceInfo) else find_device(wanted)

    def reports(self, *, refresh: bool = False) -> tuple[DriverReport, ...]:
        """Every driver with its devices or its trouble."""
        return driver_reports(refresh=refresh)

    def build(  # noqa: PLR0913 - each is one of the things that make a program
        self,
        source: str | bytes | Sequence[str],
        *,
        options: OptionsLike = (),
        device: str | int | DeviceInfo | None = None,
        std: str | None = None,
        source_map: SourceMap | None = None,
        timeout: float | None = None,
        names: Sequence[str] = (),
        defines: Mapping[str, Any] = NO_DEFINES,
        headers: HeadersLike = (),
        engine: str | None = None,
    ) -> Program:
        """Build OpenCL C source on a device.

        Parameters
        ----------
        source : str, bytes or sequence of str
            OpenCL C text; several are taken one after the other.
        options : str or sequence of str
            OpenCL's build options (OpenCL 1.2, 5.6.4), in any usual spelling: ``"-DN=4 -cl-mad-enable"`` or a list.
        device : str, int or DeviceInfo, optional
            Where to build; by default the current device. A ``pyopencl.Context`` or ``CommandQueue`` is taken as it
            is, by the inline engine.
        std : str, optional
            Language version, ``"CL2.0"``; the same as ``-cl-std=CL2.0``.
        source_map : SourceMap, optional
            Where the text came from, for the lines of diagnostics.
        timeout : float, optional
            Seconds that the device's compiler may take; by default it has no end set.
        names : sequence of str, optional
            Registered names: expressions that name kernels, as templates and overloads need them:
            ``"axpy<float>"``, ``"(void(*)(int, global int*))iota"``. ``program[name]`` takes exactly the same text.
        defines : mapping of str to object, optional
            Macros with Python values: ``{"N": 4, "TAPS": [1, 2, 3]}``; see
            :func:`cl_magic.build.definitions.define_options`. They come after those of `options`.
        headers : mapping of str to str, optional
            Virtual headers, ``{"common.h": text}``: ``#include`` finds them before the current folder and ``-I``.
        engine : {"worker", "inline"}, optional
            What executes; by default the session's own, and the inline engine for PyOpenCL's objects.

        Returns
        -------
        Program

        Raises
        ------
        BuildError
            With ``error.result``, the whole BuildResult.
        BuildTimeoutError
            The compiler took longer than `timeout`; its worker was ended.
        OptionError, SourceError
            Before the compiler is asked.

        Examples
        --------
        >>> Session().build("kernel void f(global float *x) { x[0] = N; }", options="-DN=4").device.type
        ('cpu',)
        """
        place = foreign_place(device)
        runner, found = place or (engine, self.resolve(device))
        text, notes = prepare_source(source, source_map)
        parsed = with_defines(parse_options(options, std=std), defines)
        where, virtual = source_map or SourceMap(), checked_headers(headers)
        spec = program_spec(text, parsed, where, names=tuple(names), headers=virtual)
        return self.build_spec(spec, found, runner, notes=(*notes, *parsed.notes), timeout=timeout)

    def build_file(self, path: str | Path, **words: Any) -> Program:  # noqa: ANN401 - those of build
        """Build a ``.cl`` file; diagnostics name its lines, and its folder is searched for headers first."""
        file = Path(path)
        folder = str(file.resolve().parent)
        options, timeout = words.pop("options", ()), words.pop("timeout", None)
        parsed = with_defines(parse_options(options, std=words.pop("std", None)), words.pop("defines", NO_DEFINES))
        text, notes = prepare_source(file.read_bytes())
        parsed = dataclasses.replace(parsed, include_dirs=(folder, *parsed.include_dirs))
        names, headers = tuple(words.pop("names", ())), checked_headers(words.pop("headers", ()))
        spec = program_spec(text, parsed, SourceMap(file.name), names=names, headers=headers)
        device = self.resolve(words.pop("device", None))
        return self.build_spec(spec, device, None, notes=(*notes, *parsed.notes), timeout=timeout)

    def can_build(self, language: str = "OpenCL C", device: str | int | DeviceInfo | None = None) -> bool:
        """Whether a device builds programs in a language; never an error.

        Parameters
        ----------
        language : str
            ``"OpenCL C"``, a version (``"CL2.0"``), ``"CLC++2021"`` or ``"SPIR-V"``.
        device : str, int or DeviceInfo, optional
            By default the current one. One that is not there builds nothing.

        Examples
        --------
        >>> Session().can_build(), Session().can_build("Fortran"), Session().can_build(device="no such device")
        (True, False, False)
        """
        try:
            return takes_language(self.resolve(device), language)
        except (DeviceNotFoundError, NoPlatformError):
            return False

    def can_compile(self, language: str = "OpenCL C", device: str | int | DeviceInfo | None = None) -> bool:
        """Whether a device compiles a language to objects that are linked later (OpenCL 1.2, 5.6.3); never an error.

        Examples
        --------
        >>> Session().can_compile("CL1.2"), Session().can_compile("SPIR-V")
        (True, False)
        """
        return "spir" not in language.lower() and self.can_build(language, device)

    def build_spec(
        self,
        spec: ProgramSpec,
        device: DeviceInfo,
        engine: str | Engine | None,
        *,
        notes: Iterable[str] = (),
        timeout: float | None = None,
    ) -> Program:
        """Build a specification, or return the program that the same one gave on this device."""
        kind = engine or self.engine
        spec = dataclasses.replace(spec, plain="")
        # A cell that runs again has another name ("cell [4]") and the same lines: it is the same program.
        key = (spec, dataclasses.replace(spec.source_map, name=""), device.id, kind)
        with self._lock:
            known = self._programs.get(key)
            if known is not None and not known.result.variables:  # another build resets these
                self._programs.move_to_end(key)
                return known
        runner = engine_for(device, kind) if isinstance(kind, str) else kind
        result = built_on(spec, device, runner, tuple(notes), timeout)
        if not result.ok:
            load_view("display")  # the error's text is then the whole report
            raise BuildError(headline(result), result=result)
        return self._remember(key, Program(result, device, runner, self))

    def _remember(self, key: tuple[Any, ...], program: Program) -> Program:
        with self._lock:
            self._programs[key] = program
            while len(self._programs) > KEPT_PROGRAMS:
                self._programs.popitem(last=False)
        return program

    def keep(self, record: RunRecord) -> RunRecord:
        """Remember a record and return it; the oldest go when there are too many."""
        with self._lock:
            if len(self._records) == KEPT_RECORDS:
                self._kept_bytes -= _capture_bytes(self._records.popleft())
            self._records.append(record)
            self._kept_bytes += _capture_bytes(record)
            while len(self._records) > 1 and self._kept_bytes > KEPT_BYTES:
                self._kept_bytes -= _capture_bytes(self._records.popleft())
        return record


def _capture_bytes(record: RunRecord) -> int:
    pictures = (p for c in record.captures for p in (c.picture_before, c.picture_after, c.picture_difference))
    return len(record.printf) + sum(len(p.data) for p in pictures if p is not None)


_default: Session | None = None
_default_lock = threading.Lock()


def session() -> Session:
    """Return the default session, which the magics and ``clm.build`` use.

    Examples
    --------
    >>> session() is session()
    True
    """
    global _default  # noqa: PLW0603 - one default session a process
    with _default_lock:
        if _default is None:
            _default = Session()
        return _default


def functional(device: str | int | DeviceInfo | None = None, timeout: float = 30.0) -> bool | None:
    """Whether a device builds and runs a kernel rightly: True, False, or None where it did not answer in time (K-43).

    ``%opencl doctor`` gives the reason.

    Examples
    --------
    >>> functional()
    True
    """
    numbers = np.arange(_TRIED, dtype=np.int32)
    try:
        program = session().build(_TRIAL, device=device, timeout=timeout)
        program.twice(numbers, global_size=_TRIED, timeout=timeout)
    except (BuildTimeoutError, LaunchTimeoutError):
        return None
    except ClMagicError:
        return False
    return bool(np.array_equal(numbers, 2 * np.arange(_TRIED)))


def _place() -> tuple[DeviceInfo, str]:
    """Where arrays go that name no device: to the default session's current one."""
    current = session()
    return current.device, current.engine


use_default_place(_place)


def build(source: str | bytes | Sequence[str], **words: Any) -> Program:  # noqa: ANN401 - those of Session.build
    """Build OpenCL C source in the default session; see :meth:`Session.build`.

    Examples
    --------
    >>> build("kernel void f(global int *x) { x[0] = 1; }").kernel_names
    ('f',)
    """
    return session().build(source, **words)
