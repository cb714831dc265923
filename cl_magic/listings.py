"""The code of a built program: listings of every form that its device gives, and a folder with all of them."""

from __future__ import annotations

import dataclasses
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path

from cl_magic.build.instances import instantiated
from cl_magic.build.result import BuildResult
from cl_magic.build.spec import ProgramSpec
from cl_magic.engine.extraction import extract
from cl_magic.engine.protocol import Engine
from cl_magic.errors import (
    ArgumentError,
    ClMagicError,
    EngineError,
    ListingUnavailableError,
    WorkerDiedError,
)
from cl_magic.launch.limits import DeviceInfo
from cl_magic.reflect.annotation import annotated
from cl_magic.reflect.folder import DumpedFile, write_folder
from cl_magic.reflect.forms import Making, debug_options, make_listing, refuse_kind
from cl_magic.reflect.listing import KIND_WORDS, KINDS, Extracted, Listing

_DEBUG = ("-g", "-nv-line-info")
_SUFFIX = {"llvm": "ll", "ptx": "ptx"}


class Listings:
    """Listings of one program; what its device gave is kept, so that a second form costs no second build.

    Parameters
    ----------
    result : BuildResult
        The successful build.
    device : DeviceInfo
    engine : Engine
        Asked where the device is known to it only.
    """

    def __init__(self, result: BuildResult, device: DeviceInfo, engine: Engine) -> None:
        self._result, self._device, self._engine = result, device, engine
        self._known: dict[tuple[str, ...], Extracted] = {}
        self._origin: Callable[[int], int] | None = None

    def listing(self, kind: str, *, debug: bool = False, local_size: Sequence[int] = ()) -> Listing:
        """One form of the code, as :meth:`cl_magic.program.Program.listing` describes it."""
        if kind not in KINDS:
            raise refuse_kind(kind, self._device.short_name)
        made: Listing | None = None
        failure: ClMagicError | None = None
        for extra in debug_options(self._device.family, kind) if debug else ((),):
            try:
                made = self._made(kind, extra, local_size)
            except (EngineError, ListingUnavailableError) as error:
                if "possible" in error.facts:  # no build gives this kind
                    raise
                failure = error
            else:
                if made.has_lines:
                    break
        return made or self._stand_in(kind, local_size, failure, debug=debug)

    def _stand_in(self, kind: str, local_size: Sequence[int], failure: ClMagicError | None, *, debug: bool) -> Listing:
        """The listing of a build without debug information, where those with it failed."""
        if failure is not None and not debug and not set(_DEBUG) & set(self._result.spec.options):
            raise failure
        return self._made(kind, (), local_size, instead_of=failure)

    def dump(self, folder: str | Path | None = None) -> Path:
        """Every form into a folder, as :meth:`cl_magic.program.Program.dump` describes it."""
        files: list[DumpedFile] = [DumpedFile("build.log", self._result.log.encode(), "the compiler's log")]
        missing: list[tuple[str, str]] = []
        notes: list[str] = []
        for kind in KINDS:
            try:
                listing = self.listing(kind)
            except ClMagicError as error:
                missing.append((kind, error.message))
            else:
                files += _files(listing)
                notes += (f"{kind}: {note}" for note in listing.notes)
        try:
            place = Path(tempfile.mkdtemp(prefix="cl_magic-dump-")) if folder is None else Path(folder)
            return write_folder(place.absolute(), files, missing, self._head(), notes)
        except OSError as error:
            message = f"the folder {str(folder)!r} cannot be written: {error.strerror or error}"
            raise ArgumentError(message, remedy="name another folder, or none", value=str(folder)) from None

    def _head(self) -> tuple[str, ...]:
        spec = self._result.spec
        options = f"options: {self._result.options_used or 'none'}"
        return (f"{spec.source_map.name} on {self._device.name} ({self._device.platform_version})", options)

    def _made(
        self,
        kind: str,
        extra: tuple[str, ...],
        local_size: Sequence[int],
        instead_of: ClMagicError | None = None,
    ) -> Listing:
        """The listing of a build with some more options, or of one that stands in for those that failed."""
        own = self._result.spec.options
        added = tuple(option for option in extra if option not in own)
        notes = _debug_notes(added)
        if instead_of is not None:
            own = tuple(option for option in own if option not in _DEBUG)
            notes = (_fallback(instead_of),)
        sizes = [*local_size, 1, 1][:3] if local_size else ()
        extracted = self._extracted((*own, *added), again=bool(sizes))
        device = self._device
        making = Making(self._result, device.short_name, device.family, extracted, self._origins(), notes=notes)
        making = dataclasses.replace(making, local_size="-".join(map(str, sizes)), instead=instead_of is not None)
        return make_listing(kind, making)

    def _extracted(self, options: tuple[str, ...], *, again: bool = False) -> Extracted:
        """What the device gave for these options; PoCL has more of it after a launch with another local size."""
        if again or options not in self._known:
            spec: ProgramSpec = dataclasses.replace(self._result.spec, options=options)
            self._known[options] = extract(spec, self._device, self._engine)
        return self._known[options]

    def _origins(self) -> Callable[[int], int]:
        """From lines of the text that was built to lines of the user's: the same, but for instances of templates."""
        if self._origin is None:
            made = instantiated(self._result.spec) if self._result.spec.plain else None
            if made is None or not made.source:
                last = self._result.spec.source.count("\n") + 1
                self._origin = lambda line: line if line <= last else 0
            else:
                lines = made.line_map
                self._origin = lambda line: found.line if (found := lines.origin(line)) else 0
        return self._origin


def _debug_notes(added: tuple[str, ...]) -> tuple[str, ...]:
    return (f"from a build with {' '.join(added)}, made for this listing: what runs may differ",) if added else ()


def _fallback(error: ClMagicError) -> str:
    """Why the code is that of a build without debug information."""
    if isinstance(error, WorkerDiedError):
        return "the driver's process died when it was asked for the code of the build with -g: this is one without"
    why = error.facts.get("reason") or error.message
    return f"the code of the build with -g could not be had ({why}): this is one without"


def _files(listing: Listing) -> list[DumpedFile]:
    if listing.kind == "source":
        return [DumpedFile("source.cl", listing.text.encode(), "what the compiler got")]
    if listing.kind in ("binary", "spirv"):
        name = "program.bin" if listing.kind == "binary" else "program.spv"
        return [DumpedFile(name, listing.data, f"{listing.kind}, as the driver gave it")]
    if listing.kind in _SUFFIX:
        name = f"program.{_SUFFIX[listing.kind]}"
        return [DumpedFile(name, listing.text.encode(), KIND_WORDS[listing.kind])]
    return [
        DumpedFile(f"{one.symbol}.s", annotated(one, listing).encode() + b"\n", f"machine code of {one.name}")
        for one in listing.functions
    ]
