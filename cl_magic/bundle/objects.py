"""Compiled objects and libraries, and what links them to a program (OpenCL 1.2, 5.6.3)."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from cl_magic.build.build_log import BuildLog
from cl_magic.build.linking import checked_link_options, link_faults, link_spec, open_needs
from cl_magic.build.options import parse_options
from cl_magic.build.result import BuildResult
from cl_magic.build.spec import ProgramSpec
from cl_magic.building import built_on
from cl_magic.composing import headline
from cl_magic.engine.protocol import Engine
from cl_magic.errors import ArgumentError, BuildError, ProgramStateError
from cl_magic.launch.limits import DeviceInfo
from cl_magic.program import Program
from cl_magic.session import OptionsLike, Session
from cl_magic.show import load_view


class NotExecutable:
    """What only an executable program can answer (S-03)."""

    state = ""

    def _refusal(self, what: str) -> ProgramStateError:
        message = f"{what} needs an executable program; this one is in the state {self.state}"
        remedy = "clm.link([…]) makes one of objects" if self.state == "object" else "call build() first"
        return ProgramStateError(message, remedy=remedy, state=self.state, needed="executable")

    def __getitem__(self, name: str) -> Any:  # noqa: ANN401 - it always raises
        what = f"kernel {name!r}"
        raise self._refusal(what)

    def __iter__(self) -> Iterator[str]:
        what = "listing the kernels"
        raise self._refusal(what)

    def __len__(self) -> int:
        what = "counting the kernels"
        raise self._refusal(what)

    def __contains__(self, name: object) -> bool:
        what = f"asking for kernel {name!r}"
        raise self._refusal(what)

    @property
    def kernel_names(self) -> tuple[str, ...]:
        """Raise: kernels have names after a build.

        Raises
        ------
        ProgramStateError
        """
        what = "listing the kernels"
        raise self._refusal(what)

    def get_kernel(self, name: str) -> Any:  # noqa: ANN401 - it always raises
        """Raise: there is no kernel before a build.

        Raises
        ------
        ProgramStateError
        """
        return self[name]

    def has_kernel(self, name: str) -> bool:
        """Raise: there is no kernel before a build.

        Raises
        ------
        ProgramStateError
        """
        what = f"asking for kernel {name!r}"
        raise self._refusal(what)


@dataclass(frozen=True, eq=False, repr=False)
class ProgramObject(NotExecutable):
    """A compiled object or a library of objects: it has no kernels to run until it is linked.

    Attributes
    ----------
    result : BuildResult
        Of compiling or linking it; `defines` and `needs` are what a linker sees.
    device : DeviceInfo
    engine : Engine
    session : Session
    """

    result: BuildResult
    device: DeviceInfo
    engine: Engine
    session: Session

    @property
    def state(self) -> str:  # type: ignore[override]  # a fact of the value here
        """Always "object": libraries are objects too."""
        return "object"

    @property
    def name(self) -> str:
        """Where it came from: ``cell [3]``."""
        return self.result.spec.source_map.name

    @property
    def is_library(self) -> bool:
        """Whether it was linked with ``-create-library``."""
        return self.result.spec.stage == "library"

    @property
    def log(self) -> BuildLog:
        """What the compiler or linker said."""
        return BuildLog(self.result)

    def __repr__(self) -> str:
        words = [f"defines {', '.join(one.name for one in self.result.defines) or 'nothing'}"]
        words += [f"needs {', '.join(one.name for one in self.result.needs)}"] if self.result.needs else []
        kind = "library" if self.is_library else "object"
        return f"<{kind} of {self.name}: {'; '.join(words)}; on {self.device.short_name}>"


def link(
    parts: Sequence[ProgramObject],
    *,
    options: OptionsLike = (),
    library: bool = False,
    timeout: float | None = None,
) -> Any:  # noqa: ANN401 - Program, or ProgramObject for a library
    """Link objects and libraries to a program (OpenCL 1.2, 5.6.3: clLinkProgram).

    Names that are missing or defined twice are found before the driver is asked.

    Parameters
    ----------
    parts : sequence of ProgramObject
        All of one device and engine; the same one twice counts once.
    options : str or sequence of str
        The five floating-point options that linkers take, ``-create-library`` and ``-enable-link-options``.
    library : bool
        Make a library that other links use.
    timeout : float, optional
        Seconds that the linker may take.

    Returns
    -------
    Program or ProgramObject
        ProgramObject for a library.

    Raises
    ------
    ArgumentError
        No parts, something else among them, or parts of different devices.
    OptionError
        An option that linkers do not take (R-58, R-59).
    BuildError
        The link failed, or would have.

    Examples
    --------
    >>> from cl_magic.bundle.sources import source
    >>> twice = source("int twice(int x) { return 2 * x; }").compile()
    >>> user = source("int twice(int x); kernel void f(global int *x) { x[0] = twice(8); }").compile()
    >>> link([twice, user]).kernel_names
    ('f',)
    """
    _check_parts(parts)
    chosen = checked_link_options(parse_options(options).options, library=library)
    spec = link_spec([part.result.spec for part in parts], chosen)
    first = parts[0]
    results = list({part.result.spec.digest: part.result for part in parts}.values())
    faults = link_faults(results, library=spec.stage == "library") if _all_read(results) else ()
    if faults:
        failed = BuildResult(
            ok=False,
            spec=spec,
            device_id=first.device.id,
            device_name=first.device.name,
            platform_name=first.device.platform_name,
            diagnostics=faults,
            status="LINK_PROGRAM_FAILURE",
        )
        raise failure_of(failed)
    if spec.stage == "program":
        return first.session.build_spec(spec, first.device, first.engine, timeout=timeout)
    result = built_on(spec, first.device, first.engine, (), timeout)
    symbols = tuple(symbol for one in results for symbol in one.defines)
    result = dataclasses.replace(result, defines=symbols, needs=open_needs(results))
    return object_of(result, first.device, first.engine, first.session)


def object_of(result: BuildResult, device: DeviceInfo, engine: Engine, where: Session) -> ProgramObject:
    """The object of a successful build.

    Raises
    ------
    BuildError
        It failed.
    """
    if not result.ok:
        raise failure_of(result)
    return ProgramObject(result, device, engine, where)


def compiled_again(old: ProgramObject, spec: ProgramSpec) -> ProgramObject:
    """The object or library of a newer specification: a header was edited.

    Raises
    ------
    BuildError

    Examples
    --------
    >>> from cl_magic.bundle.sources import source
    >>> old = source("int f(int x) { return x; }").compile()
    >>> new = compiled_again(old, dataclasses.replace(old.result.spec, source="int g(int x) { return x; }"))
    >>> new.result.defines[0].name
    'g'
    """
    result = built_on(spec, old.device, old.engine, (), None)
    if spec.parts:  # of a library the names are known from its link
        result = dataclasses.replace(result, defines=old.result.defines, needs=old.result.needs)
    return object_of(result, old.device, old.engine, old.session)


def failure_of(result: BuildResult) -> BuildError:
    """The error of a failed build; its text is the whole report.

    Examples
    --------
    >>> from cl_magic.build.spec import ProgramSpec
    >>> failure_of(BuildResult(False, ProgramSpec("x"), status="INVALID_BINARY")).message
    'source was not built: INVALID_BINARY'
    """
    load_view("display")  # the error's text is then the whole report
    return BuildError(headline(result), result=result)


def _all_read(results: Sequence[BuildResult]) -> bool:
    """Whether the front end saw all parts; without it nothing is known of their names."""
    return not any("the front end did not read" in note for one in results for note in one.notes)


def _check_parts(parts: Sequence[ProgramObject]) -> None:
    if not parts:
        message = "there is nothing to link: the list of parts is empty"
        raise ArgumentError(message, remedy="compile cells with --compile --as=part, and pass [part, …]")
    for part in parts:
        given: Any = part
        if not isinstance(given, ProgramObject):
            kind = "an executable program" if isinstance(given, Program) else type(given).__name__
            message = f"{kind} cannot be linked: parts are compiled objects and libraries"
            raise ArgumentError(
                message, remedy="clm.source(text).compile(), or %%opencl --compile --as=part", value=part
            )
    first = parts[0]
    other = next((part for part in parts if (part.device.id, part.engine) != (first.device.id, first.engine)), None)
    if other is not None:
        message = f"the parts belong to different contexts: {first!r} and {other!r}"
        remedy = "compile all parts for one device and engine"
        raise ArgumentError(message, remedy=remedy, devices=(first.device.id, other.device.id))
