"""Source bundles: programs of which nothing is compiled yet."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence
from typing import Any

from cl_magic.build.build_log import BuildLog
from cl_magic.build.options import NO_DEFINES, parse_options, with_defines
from cl_magic.build.result import BuildResult
from cl_magic.build.source import prepare_source
from cl_magic.build.source_map import SourceMap
from cl_magic.build.specifying import program_spec
from cl_magic.build.virtual_headers import Headers, HeadersLike, checked_headers
from cl_magic.building import built_on
from cl_magic.bundle.objects import NotExecutable, ProgramObject, object_of
from cl_magic.device import engine_for
from cl_magic.errors import BuildError, DeviceNotFoundError
from cl_magic.launch.limits import DeviceInfo
from cl_magic.program import Program
from cl_magic.session import OptionsLike, session


class SourceBundle(NotExecutable):
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
        return object_of(result, found, engine, here)

    def _save(self, wanted: bool, result: BuildResult) -> None:  # noqa: FBT001 - the caller's own word
        if wanted:
            self.log = BuildLog(result)


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
