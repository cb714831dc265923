"""Programs from binaries, SPIR-V and built-in kernels; binaries of ours carry the kernels' signatures with them.

A driver tells no argument facts of a program that is not from source (OpenCL 1.2, 5.7.3).
"""

from __future__ import annotations

import base64
import hashlib
import struct
from dataclasses import dataclass
from typing import Literal

from cl_magic.build.options import parse_options
from cl_magic.build.source import prepare_source
from cl_magic.build.source_map import SourceMap
from cl_magic.build.spec import ProgramSpec
from cl_magic.bundle.objects import failure_of
from cl_magic.clc.analysis import Analysis
from cl_magic.clc.frontend import front_end
from cl_magic.clc.signature import KernelSignature
from cl_magic.clc.structs import Layout
from cl_magic.composing import composed
from cl_magic.device import engine_for
from cl_magic.engine.commands import Build
from cl_magic.engine.extraction import extract
from cl_magic.errors import ArgumentError, RecordError
from cl_magic.launch.limits import DeviceInfo
from cl_magic.program import Program
from cl_magic.record.codec import from_json, to_json
from cl_magic.reflect.containers import POCL, pocl_files
from cl_magic.session import OptionsLike, session

_MAGIC = b"cl_magic program 1\n"
_LENGTH = struct.Struct("<Q")
_SPIRV = (b"\x03\x02\x23\x07", b"\x07\x23\x02\x03")
_SPIRV_HEAD_BYTES = 20


@dataclass(frozen=True, slots=True)
class SavedProgram:
    """A driver's binary, what it runs on, and what is known of its kernels."""

    platform_name: str
    device_name: str
    driver_version: str
    kernels: tuple[KernelSignature, ...]
    layouts: tuple[Layout, ...]
    binary: bytes


def save_binary(program: Program) -> bytes:
    """The program as bytes for :func:`load_binary`: the driver's binary with the kernels' signatures beside it (R-72).

    Raises
    ------
    ArgumentError
        The device gives no binary.

    Examples
    --------
    >>> import cl_magic as clm
    >>> data = save_binary(clm.build("kernel void f(global int *x, int n) { x[0] = n; }"))
    >>> load_binary(data).f.signature.parameters[1].declaration
    'int n'
    """
    device, result = program.device, program.result
    binary = extract(result.spec, device, program.engine).binary
    if not binary:
        message = f"{device.short_name} gives no binary of a program"
        raise ArgumentError(message, remedy="keep the source", value=program)
    signatures = tuple(kernel.signature for kernel in result.kernels)
    facts = (device.platform_name, device.name, device.driver_version)
    header, columns = to_json(SavedProgram(*facts, signatures, result.layouts, binary))
    pieces = [bytes(piece) for piece in (header, *columns)]
    body = b"".join(_LENGTH.pack(len(piece)) + piece for piece in pieces)
    return _MAGIC + hashlib.sha256(body).digest() + body


def load_binary(
    data: bytes, device: str | int | DeviceInfo | None = None, *, source: str = "", options: OptionsLike = ()
) -> Program:
    """Make a program from a binary: one of :func:`save_binary`, or a driver's own.

    Parameters
    ----------
    data : bytes
    device : str, int or DeviceInfo, optional
        The kind of device it was made for; by default the current one.
    source : str, optional
        The OpenCL C that a driver's own binary was made of: nothing of it is compiled, the kernels' parameters are
        read from it. Without it a driver that tells nothing of parameters leaves kernels that take no arrays.
    options : str or sequence of str, optional

    Raises
    ------
    ArgumentError
        The bytes are damaged, or made by another driver.
    BuildError
        The driver does not take them (`INVALID_BINARY`).
    """
    found = session().resolve(device)
    if not data.startswith(_MAGIC):
        _check_whole(data)
        return _loaded("binary", data, found, _seen(source), options)
    saved = _read(data)
    theirs = (saved.platform_name, saved.device_name, saved.driver_version)
    if theirs != (found.platform_name, found.name, found.driver_version):
        message = f"this binary was made for {saved.device_name} ({saved.platform_name}, driver {saved.driver_version})"
        remedy = f"build the source again for {found.short_name} (driver {found.driver_version})"
        raise ArgumentError(message, remedy=remedy, made_for=theirs)
    return _loaded("binary", saved.binary, found, _known(saved), options)


def load_il(
    data: bytes, device: str | int | DeviceInfo | None = None, *, source: str = "", options: OptionsLike = ()
) -> Program:
    """Make a program from SPIR-V, on devices that take it.

    Parameters are as for :func:`load_binary`.

    Raises
    ------
    ArgumentError
        The device takes no SPIR-V, or the bytes are none.
    BuildError

    Examples
    --------
    >>> load_il(b"garbage")
    Traceback (most recent call last):
    ...
    cl_magic.errors.ArgumentError: these 7 bytes are no SPIR-V: a module begins with 03 02 23 07
    → pass the whole .spv file
    """
    if not data.startswith(_SPIRV) or len(data) < _SPIRV_HEAD_BYTES or len(data) % 4:
        message = f"these {len(data)} bytes are no SPIR-V: a module begins with 03 02 23 07"
        raise ArgumentError(message, remedy="pass the whole .spv file", nbytes=len(data))
    found = session().resolve(device)
    if not found.il_versions:
        message = f"{found.short_name} takes no SPIR-V"
        raise ArgumentError(
            message, remedy="clm.session().can_build('SPIR-V', device) says which does", device=found.id
        )
    return _loaded("il", data, found, _seen(source), options)


def built_in_kernels(names: str | tuple[str, ...], device: str | int | DeviceInfo | None = None) -> Program:
    """Make a program of kernels that the device brings with it (OpenCL 1.2, 5.6.1).

    Parameters
    ----------
    names : str or tuple of str

    Raises
    ------
    KernelNotFoundError
        The device has no such kernel; `kernels` lists those it has.
    """
    wanted = (names,) if isinstance(names, str) else tuple(names)
    if not all(wanted) or not wanted:
        message = "no built-in kernel is named"
        raise ArgumentError(message, remedy="give its name", value=names)
    found = session().resolve(device)
    spec = ProgramSpec("", form="built-in", code=";".join(wanted), source_map=SourceMap("built-in kernels"))
    return _program(spec, found, Analysis(available=True))


def _loaded(
    form: Literal["binary", "il"], data: bytes, device: DeviceInfo, seen: Analysis, options: OptionsLike
) -> Program:
    given = parse_options(options).options
    name = "the binary" if form == "binary" else "the SPIR-V module"
    code = base64.b64encode(data).decode("ascii")
    return _program(ProgramSpec("", given, form=form, code=code, source_map=SourceMap(name)), device, seen)


def _program(spec: ProgramSpec, device: DeviceInfo, seen: Analysis) -> Program:
    engine = engine_for(device, session().engine)
    result = engine.submit(Build(spec, device.local_id)).result()
    known = {signature.name for signature in seen.kernels}
    bare = [kernel.name for kernel in result.kernels if kernel.name not in known and not _is_typed(kernel.signature)]
    words = "nothing is known of the arguments, so arrays cannot be passed: give source=, the text it was made of"
    notes = (f"{', '.join(bare)}: {words}",) if bare else ()
    result = composed(result, seen, device, notes)
    if not result.ok:
        raise failure_of(result)
    return Program(result, device, engine, session())


def _is_typed(signature: KernelSignature) -> bool:
    return all(parameter.type_name for parameter in signature.parameters)


def _known(saved: SavedProgram) -> Analysis:
    return Analysis(available=True, kernels=saved.kernels, layouts=saved.layouts)


def _seen(source: str) -> Analysis:
    return front_end().analyse(prepare_source(source)[0]) if source else Analysis(available=True)


def _check_whole(data: bytes) -> None:
    """Refuse bytes that PoCL would die of: a container that is cut off."""
    if not data:
        message = "the binary is empty"
        raise ArgumentError(message, remedy="pass the bytes of clm.save_binary(program)", nbytes=0)
    if data.startswith(POCL):
        files = pocl_files(data)
        end = data.rfind(files[-1].data) + len(files[-1].data) if files else 0
        if not files or end != len(data):
            message = f"the binary of {len(data)} bytes is a PoCL container that is cut off or damaged"
            raise ArgumentError(message, remedy="make it again", nbytes=len(data))


def _read(data: bytes) -> SavedProgram:
    begin = len(_MAGIC) + hashlib.sha256().digest_size
    body = data[begin:]
    if hashlib.sha256(body).digest() != data[len(_MAGIC) : begin]:
        message = f"the binary of {len(data)} bytes is damaged or cut off: its digest does not fit"
        raise ArgumentError(message, remedy="save the program again with clm.save_binary", nbytes=len(data))
    pieces, at = [], 0
    while at < len(body):
        (length,) = _LENGTH.unpack_from(body, at)
        at += _LENGTH.size
        pieces.append(body[at : at + length])
        at += length
    try:
        saved: SavedProgram = from_json(SavedProgram, pieces[0], pieces[1:])
    except RecordError as error:
        raise ArgumentError(error.message, remedy=error.remedy, nbytes=len(data)) from None
    return saved
