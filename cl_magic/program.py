"""A built program: a mapping from kernel names to kernels, with its build's facts."""

from __future__ import annotations

import dataclasses
import time
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Protocol

import numpy as np

from cl_magic.build.not_found import no_kernel, no_type
from cl_magic.build.program_info import ProgramInfo, program_info
from cl_magic.build.result import BuildResult
from cl_magic.build.spec import ProgramSpec
from cl_magic.build.specialisation import require_source, specialised
from cl_magic.built import kernel_there
from cl_magic.clc.dtypes import dtype_of
from cl_magic.clc.structs import Layout, bit_field_fault, layout_named
from cl_magic.engine.commands import Build
from cl_magic.engine.foreign import foreign_place
from cl_magic.engine.protocol import Engine
from cl_magic.errors import ArgumentError, BuildError, KernelNotFoundError
from cl_magic.kernel import Kernel
from cl_magic.launch.device_arrays import is_device_resident
from cl_magic.launch.limits import DeviceInfo
from cl_magic.launch.set_sizes import Sizes, required_size, size_macros, with_note
from cl_magic.listings import Listings
from cl_magic.record.run import RunRecord
from cl_magic.reflect.listing import Listing


class Workshop(Protocol):
    """What a program needs of the session that built it."""

    timeout: float | None

    def resolve(self, selector: Any) -> DeviceInfo:  # noqa: ANN401 - any selector
        """The device a selector means."""

    def build_spec(self, spec: ProgramSpec, device: DeviceInfo, engine: str | Engine | None) -> Program:
        """Build a specification on a device, or return the program it already gave."""

    def keep(self, record: RunRecord) -> RunRecord:
        """Remember a record and return it."""


class Program(Mapping[str, Kernel]):
    """Kernels by name, of one build on one device.

    ``program["saxpy"]`` always works; ``program.saxpy`` works where no attribute of the program has that name.

    Parameters
    ----------
    result : BuildResult
        A successful build.
    device : DeviceInfo
    engine : Engine
        The engine that keeps the built program.
    workshop : Workshop

    Examples
    --------
    >>> import cl_magic as clm
    >>> program = clm.build("kernel void f(global int *x) { } kernel void build(global int *x) { }")
    >>> sorted(program), program["build"].name
    (['build', 'f'], 'build')
    """

    def __init__(self, result: BuildResult, device: DeviceInfo, engine: Engine, workshop: Workshop) -> None:
        self.result = result
        self.device = device
        self.engine = engine
        self._workshop = workshop
        self._kernels = {info.name: Kernel(info, self) for info in result.kernels}
        self._registered = dict(result.registered)
        self._listings = Listings(result, device, engine)
        self._variants: dict[str, str] = {}
        self.newer_spec: ProgramSpec | None = None
        self._specialised: dict[str, Program] = {}

    @property
    def timeout(self) -> float | None:
        """Seconds that a launch may take where its call says nothing: the session's."""
        return self._workshop.timeout

    @property
    def log(self) -> str:
        """The compiler's text, as it came."""
        return self.result.log

    @property
    def info(self) -> ProgramInfo:
        """Device, options, log, kernels and more (OpenCL 1.2, 5.6.7); a notebook shows a table."""
        return program_info(self.result)

    @property
    def cl_program(self) -> Any:  # noqa: ANN401 - PyOpenCL's program
        """PyOpenCL's own program (inline engine).

        Raises
        ------
        EngineError
            The program was built in a worker process.
        """
        return self.engine.live_program(self.result.spec.digest, self.device.local_id)

    @property
    def kernel_names(self) -> tuple[str, ...]:
        """In the order of the source."""
        return tuple(self._kernels)

    @property
    def layouts(self) -> tuple[Layout, ...]:
        """Structures and unions of the source, with the offsets of their members."""
        return self.result.layouts

    def layout(self, name: str) -> Layout:
        """Layout of one structure or union; a notebook draws it.

        Raises
        ------
        ArgumentError
            The front end sees no such type; `known` lists those it sees.

        Examples
        --------
        >>> import cl_magic as clm
        >>> text = "struct P { char tag; int n; }; kernel void f(global struct P *p) { }"
        >>> clm.build(text).layout("P").padding_bytes
        3
        """
        found = layout_named(self.layouts, name)
        if found is None:
            raise no_type(name, self.result)
        return found

    def dtype(self, name: str) -> np.dtype[Any]:
        """Structured dtype of a structure or union of the source: its offsets, its padding, its size.

        Parameters
        ----------
        name : str
            Tag or name of a typedef.

        Raises
        ------
        ArgumentError
            The front end sees no such type, or it has a bit-field; `known` lists those it sees.

        Examples
        --------
        >>> import cl_magic as clm
        >>> text = "typedef struct { char tag; float3 pos; } Particle; kernel void f(global Particle *p) { }"
        >>> clm.build(text).dtype("Particle").itemsize
        32
        """
        layout = self.layout(name)
        if layout.bit_field:
            message = f"{name} has no dtype: {bit_field_fault(layout)}"
            raise ArgumentError(message, remedy="a member of a whole type", value=name)
        return dtype_of(layout)

    def listing(self, kind: str, *, debug: bool = False, local_size: Sequence[int] = ()) -> Listing:
        """The code that the device's compiler made, in one form (the extra ``asm`` reads "llvm" and "asm").

        Parameters
        ----------
        kind : {"llvm", "asm", "ptx", "spirv", "binary", "source"}
        debug : bool
            Read a build with debug information, made for it, so that code stands beside its source lines. What runs
            may differ from it, and the listing says so.
        local_size : sequence of int
            On PoCL: the code that it compiled for this size of a work-group, where it has run one.

        Raises
        ------
        ListingUnavailableError
            The device does not give this kind (`possible` lists those it gives), or the code cannot be read.
        MissingExtraError
            The extra ``asm`` is not installed.

        Examples
        --------
        >>> import cl_magic as clm
        >>> listing = clm.build("kernel void f(global int *x) { x[0] = 1; }").listing("source")
        >>> listing.kind, listing.text
        ('source', 'kernel void f(global int *x) { x[0] = 1; }')
        """
        return self._listings.listing(kind, debug=debug, local_size=local_size)

    def dump(self, folder: str | Path | None = None) -> Path:
        """Write every form that the device gives into a folder; ``index.txt`` says what is there and what is missing.

        Parameters
        ----------
        folder : str or Path, optional
            By default a new temporary one.

        Returns
        -------
        Path
            The folder.

        Raises
        ------
        ArgumentError
            It cannot be written.

        Examples
        --------
        >>> import cl_magic as clm
        >>> folder = clm.build("kernel void f(global int *x) { x[0] = 1; }").dump()
        >>> (folder / "source.cl").read_text()
        'kernel void f(global int *x) { x[0] = 1; }'
        """
        return self._listings.dump(folder)

    def has_kernel(self, name: str) -> bool:
        """Whether there is a kernel of this name, registered or raw; never an error.

        Examples
        --------
        >>> import cl_magic as clm
        >>> program = clm.build("template<class T> kernel void f(global T *x) { *x = 1; }", names=["f<int>"])
        >>> program.has_kernel("f<int>"), program.has_kernel("f< int >"), program.raw_name("f<int>")
        (True, False, 'f__int')
        """
        return name in self

    def get_kernel(self, name: str) -> Kernel:
        """The kernel of a registered name, exactly as it was given, or of a raw one; the same as ``program[name]``.

        Raises
        ------
        KernelNotFoundError
            There is none; `kernels` lists the names.
        """
        return self[name]

    def raw_name(self, name: str) -> str:
        """Name that the device knows a kernel by, for a registered name; a raw name is its own.

        Raises
        ------
        KernelNotFoundError
            There is no such kernel.
        """
        return self[name].name

    def __getitem__(self, name: str) -> Kernel:
        try:
            return self._kernels[self._registered.get(name, name)]
        except KeyError:
            raise self._no_kernel(name) from None

    def __iter__(self) -> Iterator[str]:
        return iter(self._kernels)

    def __len__(self) -> int:
        return len(self._kernels)

    def __contains__(self, name: object) -> bool:
        return name in self._kernels or name in self._registered

    def __getattr__(self, name: str) -> Kernel:
        kernels = self.__dict__.get("_kernels", {})
        if name in kernels:
            return kernels[name]  # type: ignore[no-any-return]
        if name.startswith("_"):
            raise AttributeError(name)
        raise self._no_kernel(name)

    def __dir__(self) -> list[str]:
        return [*super().__dir__(), *self._kernels]

    def __eq__(self, other: object) -> bool:
        return self is other

    def __hash__(self) -> int:
        return id(self)

    def __repr__(self) -> str:
        return f"<program of {', '.join(self._kernels) or 'no kernel'} on {self.device.short_name}>"

    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None) -> dict[str, Any]:  # noqa: ANN401 - IPython's
        return self.result._repr_mimebundle_(include, exclude)

    def on(self, device: Any, engine: str | None, values: Sequence[Any]) -> Program:  # noqa: ANN401 - any selector
        """Return this program built for another device or engine; itself where nothing changes.

        An argument that lives in a PyOpenCL context asks for the inline engine (design: the worker shares none).
        """
        if self.newer_spec is not None:  # a header was edited since
            return self._workshop.build_spec(self.newer_spec, self.device, self.engine).on(device, engine, values)
        place = foreign_place(device)
        if place is not None:
            return self if place[0] is self.engine else self._workshop.build_spec(self.result.spec, place[1], place[0])
        if engine is None and any(is_device_resident(value) for value in values):
            engine = "inline"
        if device is None and engine in (None, self.engine.name):
            return self
        wanted = self.device if device is None else self._workshop.resolve(device)
        if wanted.id == self.device.id and engine in (None, self.engine.name):
            return self
        return self._workshop.build_spec(self.result.spec, wanted, engine or self.engine.name)

    def variant(self, prelude: str) -> tuple[str, int]:
        """Build the program once more with `prelude` in front; its digest and the time it took (0 when known)."""
        known = self._variants.get(prelude)
        if known is not None:
            return known, 0
        spec = self.result.spec
        require_source(dataclasses.replace(spec, parts=()))  # objects take a prelude each
        lines = prelude.count("\n")
        source_map = dataclasses.replace(spec.source_map, prelude_lines=spec.source_map.prelude_lines + lines)
        varied = dataclasses.replace(spec, prelude=prelude + spec.prelude, source_map=source_map)
        begin = time.perf_counter_ns()
        result = self.engine.submit(Build(varied.for_device, self.device.local_id)).result()
        if not result.ok:
            message = "the program does not build with the functions that answer for the whole NDRange"
            remedy = "give a local size that divides the global size, or remainder='asis'"
            raise BuildError(message, remedy=remedy, result=result)
        self._variants[prelude] = varied.digest
        return varied.digest, time.perf_counter_ns() - begin

    def specialized(self, kernel: str, sizes: Sizes) -> tuple[Program, Sizes]:
        """Build the program once for fixed sizes of one kernel, as :meth:`Kernel.specialize` says."""
        if self.newer_spec is not None:  # a header was edited since
            newer = self._workshop.build_spec(self.newer_spec, self.device, self.engine)
            return newer.specialized(kernel_there(kernel, self, newer).name, sizes)
        required = required_size(sizes, self[kernel].signature)
        spec = specialised(self.result.spec, kernel, required, size_macros(sizes))
        made = self if spec == self.result.spec else self._specialised.get(spec.digest)
        if made is not None:
            return made, with_note(sizes, 0)
        begin = time.perf_counter_ns()
        made = self._specialised[spec.digest] = self._workshop.build_spec(spec, self.device, self.engine)
        return made, with_note(sizes, time.perf_counter_ns() - begin)

    def keep(self, record: RunRecord) -> RunRecord:
        """Remember a record in the session and return it."""
        return self._workshop.keep(record)

    def _no_kernel(self, name: str) -> KernelNotFoundError:
        return no_kernel(name, (*self._registered, *(raw for raw in self._kernels if raw not in self._registered)))
