"""Programs before they are executable: source bundles, compiled objects and libraries, and what links them.

The states of SYCL's kernel bundles, source, object and executable, are three classes here: :class:`SourceBundle`,
:class:`ProgramObject` and :class:`~cl_magic.program.Program`.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NoReturn

from cl_magic.build.build_log import BuildLog
from cl_magic.build.linking import checked_link_options, link_faults, link_spec, open_needs
from cl_magic.build.options import NO_DEFINES, parse_options, with_defines
from cl_magic.build.result import BuildResult
from cl_magic.build.source import prepare_source
from cl_magic.build.source_map import SourceMap
from cl_magic.build.specifying import program_spec
from cl_magic.build.virtual_headers import Headers, HeadersLike, checked_headers
from cl_magic.building import built_on
from cl_magic.composing import headline
from cl_magic.device import engine_for
from cl_magic.engine.protocol import Engine
from cl_magic.errors import ArgumentError, BuildError, DeviceNotFoundError, ProgramStateError
from cl_magic.launch.limits import DeviceInfo
from cl_magic.program import Program
from cl_magic.session import OptionsLike, Session, session
from cl_magic.show import load_view


class _NotExecutable:
    """What only an executable program can answer (S-03)."""

    state = ""

    def _refusal(self, what: str) -> ProgramStateError:
        message = f"{what} needs an executable program; this one is in the state {self.state}"
        remedy = "clm.link([…]) makes one of objects" if self.state == "object" else "call build() first"
        return ProgramStateError(message, remedy=remedy, state=self.state, needed="executable")

    def __getitem__(self, name: str) -> NoReturn:
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

    def has_kernel(self, name: str) -> bool:
        """Raise: there is no kernel before a build.

        Raises
        ------
        ProgramStateError
        """
        what = f"asking for kernel {name!r}"
        raise self._refusal(what)


class SourceBundle(_NotExecutable):
    """A source text with its headers and names, not compiled yet: nothing of it was checked (S-02).

    Attributes
    ----------
    name, text : str
    headers : tuple of (str, str)
    names : tuple of str
    log : BuildLog or None
        Of the last compile or build that asked for it by ``save_log=True``, successful or not.

    Examples
    --------
    >>> bundle = source("kernel void f(global int *x) { x[0] = N; }", headers={"n.h": "#define N 4"})
    >>> bundle
    <source of 1 line with 1 header, not built>
    >>> bundle.build(options="-DN=3", save_log=True).kernel_names, bundle.log.options
    (('f',), ('-DN=3',))
    """

    state = "source"

    def __init__(
        self, text: str, headers: Headers, names: tuple[str, ...], notes: tuple[str, ...] = (), name: str = "source"
    ) -> None:
        self.name = name
        self.text = text
        self.headers = headers
        self.names = names
        self.log: BuildLog | None = None
        self._notes = notes

    def __repr__(self) -> str:
        lines = self.text.count("\n") + 1
        count = len(self.headers)
        known = f" with {count} header{'s' if count > 1 else ''}" if count else ""
        return f"<source of {lines} line{'s' if lines > 1 else ''}{known}, not built>"

    def with_header(self, name: str, text: str) -> SourceBundle:
        """Return the same bundle with one more header.

        Raises
        ------
        SourceError
            There is one of that name (S-16), or the name cannot be used.
        """
        return SourceBundle(
            self.text, checked_headers([*self.headers, (name, text)]), self.names, self._notes, self.name
        )

    def build(self, *, names: Sequence[str] = (), save_log: bool = False, **words: Any) -> Program:  # noqa: ANN401
        """Build an executable program; `words` are those of ``clm.build``.

        Parameters
        ----------
        names : sequence of str
            Registered names besides those of the bundle.
        save_log : bool
            Keep the log in `log`, on failure too.

        Raises
        ------
        BuildError
        """
        given = (*self.names, *names)
        try:
            program = session().build(
                self.text, headers=self.headers, names=given, **{"source_map": SourceMap(self.name), **words}
            )
        except BuildError as error:
            self._save(save_log, error.result)
            raise
        self._save(save_log, program.result)
        return program

    def build_on(self, devices: Sequence[str | int | DeviceInfo], **words: Any) -> tuple[Program, ...]:  # noqa: ANN401
        """Build for several devices; one that is named twice counts once (S-09).

        Raises
        ------
        DeviceNotFoundError
            No device is named, or one is not there; nothing was built then.
        BuildError
        """
        found = {one.id: one for one in map(session().resolve, devices)}
        if not found:
            message = "no device to build for: the list is empty"
            raise DeviceNotFoundError(message, remedy="leave build_on out for the current device: build()")
        return tuple(self.build(device=device, **words) for device in found.values())

    def compile(  # noqa: PLR0913 - each is one of the things that make an object
        self,
        *,
        options: OptionsLike = (),
        device: str | int | DeviceInfo | None = None,
        std: str | None = None,
        defines: Mapping[str, Any] = NO_DEFINES,
        source_map: SourceMap | None = None,
        timeout: float | None = None,
        save_log: bool = False,
    ) -> ProgramObject:
        """Compile to an object that is linked later (OpenCL 1.2, 5.6.3: clCompileProgram).

        Raises
        ------
        BuildError, OptionError
        """
        parsed = with_defines(parse_options(options, std=std), defines)
        spec = program_spec(
            self.text, parsed, source_map or SourceMap(self.name), names=self.names, headers=self.headers
        )
        spec = dataclasses.replace(spec, stage="object")
        here = session()
        found = here.resolve(device)
        engine = engine_for(found, here.engine)
        result = built_on(spec, found, engine, (*self._notes, *parsed.notes), timeout)
        self._save(save_log, result)
        return _object(result, found, engine, here)

    def _save(self, wanted: bool, result: BuildResult) -> None:  # noqa: FBT001 - the caller's own word
        if wanted:
            self.log = BuildLog(result)


@dataclass(frozen=True, eq=False, repr=False)
class ProgramObject(_NotExecutable):
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


def source(
    text: str | bytes, *, headers: HeadersLike = (), names: Sequence[str] = (), name: str = "source"
) -> SourceBundle:
    """Make a source bundle; nothing is compiled, so that no error of the text is seen yet.

    Parameters
    ----------
    text : str or bytes
        OpenCL C.
    headers : mapping of str to str, optional
        Virtual headers by name.
    names : sequence of str, optional
        Registered names, as for ``clm.build``.
    name : str
        What to call it in reports.

    Raises
    ------
    SourceError
        The text or a header cannot be handed to any compiler.

    Examples
    --------
    >>> source("garbage").state
    'source'
    """
    prepared, notes = prepare_source(text)
    return SourceBundle(prepared, checked_headers(headers), tuple(names), notes, name)


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
        raise _failure(failed)
    if spec.stage == "program":
        return first.session.build_spec(spec, first.device, first.engine, timeout=timeout)
    result = built_on(spec, first.device, first.engine, (), timeout)
    symbols = tuple(symbol for one in results for symbol in one.defines)
    result = dataclasses.replace(result, defines=symbols, needs=open_needs(results))
    return _object(result, first.device, first.engine, first.session)


def _object(result: BuildResult, device: DeviceInfo, engine: Engine, where: Session) -> ProgramObject:
    if not result.ok:
        raise _failure(result)
    return ProgramObject(result, device, engine, where)


def _failure(result: BuildResult) -> BuildError:
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
