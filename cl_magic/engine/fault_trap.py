"""Tells where a kernel touched memory that is not its own: a signal handler in machine code that writes it to a file.

A handler in Python runs too late: the interpreter only notes the signal, and the access faults again. So a few
instructions of x86-64 do what may be done in a handler: they copy what the system says about the fault (``siginfo_t``)
and the registers to the stack, write both to a descriptor in one call, put the default action back and send the signal
again. The process then ends as it would have without them. On other processors nothing is trapped, and the address
stays unknown. The thread that sets the trap gets a second stack for it; another thread whose own is full has no room
for a handler, and tells nothing either.
"""

from __future__ import annotations

import ctypes
import functools
import mmap
import platform
import signal
import struct
import sys
from typing import Any

TAG = b"clmfault"
INFO_BYTES, CONTEXT_BYTES = 128, 232
RECORD_BYTES = len(TAG) + INFO_BYTES + CONTEXT_BYTES

_SIGNALS = (signal.SIGSEGV, signal.SIGBUS, signal.SIGFPE, signal.SIGILL)
_SA_SIGINFO, _SA_ONSTACK = 0x4, 0x08000000
_SS_DISABLE = 2
_STACK_BYTES = 400
_SECOND_STACK_BYTES = 64 * 1024
_KEEP: list[Any] = []


def available() -> bool:
    """Whether this processor and system have a trap: Linux on x86-64.

    Examples
    --------
    >>> available() in (True, False)
    True
    """
    return sys.platform == "linux" and platform.machine() == "x86_64" and sys.maxsize > 2**32


def handler_code(fd: int) -> bytes:
    r"""Instructions of ``handler(int signal, siginfo_t *info, void *context)`` that write to descriptor `fd`.

    Examples
    --------
    >>> handler_code(5).startswith(b"S") and handler_code(5).endswith(b"[\xc3")
    True
    """
    i32 = struct.Struct("<i").pack
    steps = (
        b"\x53",  # push rbx
        b"\x89\xfb",  # mov ebx, edi: the signal
        b"\x48\x81\xec" + i32(_STACK_BYTES),  # sub rsp, 400
        b"\x49\x89\xd0",  # mov r8, rdx: the context
        b"\x48\x89\xe7",  # mov rdi, rsp
        b"\x48\xb8" + TAG,  # mov rax, tag
        b"\x48\xab",  # stosq
        b"\xb9" + i32(INFO_BYTES // 8) + b"\xf3\x48\xa5",  # rep movsq from rsi: siginfo_t
        b"\x4c\x89\xc6",  # mov rsi, r8
        b"\xb9" + i32(CONTEXT_BYTES // 8) + b"\xf3\x48\xa5",  # rep movsq: the context with its registers
        b"\xbf" + i32(fd),  # mov edi, fd
        b"\x48\x89\xe6",  # mov rsi, rsp
        b"\xba" + i32(RECORD_BYTES),  # mov edx, length
        b"\xb8" + i32(1) + b"\x0f\x05",  # write
        b"\x48\x89\xe7",  # mov rdi, rsp
        b"\x31\xc0",  # xor eax, eax
        b"\xb9" + i32(4) + b"\xf3\x48\xab",  # rep stosq: an empty kernel_sigaction, SIG_DFL
        b"\x89\xdf",  # mov edi, ebx
        b"\x48\x89\xe6",  # mov rsi, rsp
        b"\x31\xd2",  # xor edx, edx
        b"\x41\xba" + i32(8),  # mov r10d, 8
        b"\xb8" + i32(13) + b"\x0f\x05",  # rt_sigaction
        b"\xb8" + i32(39) + b"\x0f\x05",  # getpid
        b"\x89\xc7",  # mov edi, eax
        b"\x89\xde",  # mov esi, ebx
        b"\xb8" + i32(62) + b"\x0f\x05",  # kill: also a signal that was sent from outside ends the process
        b"\x48\x81\xc4" + i32(_STACK_BYTES),  # add rsp, 400
        b"\x5b\xc3",  # pop rbx; ret
    )
    return b"".join(steps)


class _Action(ctypes.Structure):
    """glibc's and musl's ``struct sigaction`` on x86-64."""

    _fields_ = (
        ("handler", ctypes.c_void_p),
        ("mask", ctypes.c_ulong * 16),
        ("flags", ctypes.c_int),
        ("restorer", ctypes.c_void_p),
    )


def set_trap(fd: int) -> bool:
    """Write a record to `fd` when this process is about to end by a fault; False where that cannot be set up.

    Called after the driver was loaded and after each build, since drivers and LLVM set handlers too. LLVM's are taken
    away for a moment when one thread enters them: another that faults then would end the process without a word.
    """
    if not available():
        return False
    try:
        address = _executable(handler_code(fd))
        library = ctypes.CDLL(None, use_errno=True)
    except (OSError, ValueError):
        return False
    _second_stack(library)
    action = _Action(address, (ctypes.c_ulong * 16)(), _SA_SIGINFO | _SA_ONSTACK, None)
    return all(library.sigaction(int(number), ctypes.byref(action), None) == 0 for number in _SIGNALS)


class _Stack(ctypes.Structure):
    """``stack_t``."""

    _fields_ = (("base", ctypes.c_void_p), ("flags", ctypes.c_int), ("size", ctypes.c_size_t))


def _second_stack(library: ctypes.CDLL) -> None:
    """Give handlers of this thread a stack of their own, unless a driver did so."""
    old = _Stack()
    library.sigaltstack(None, ctypes.byref(old))
    if old.flags & _SS_DISABLE:
        memory = ctypes.create_string_buffer(_SECOND_STACK_BYTES)
        _KEEP.append(memory)
        library.sigaltstack(ctypes.byref(_Stack(ctypes.addressof(memory), 0, _SECOND_STACK_BYTES)), None)


@functools.cache
def _executable(code: bytes) -> int:
    """Put instructions into memory of their own, which is then executable and no longer writable."""
    memory = mmap.mmap(-1, mmap.PAGESIZE, prot=mmap.PROT_READ | mmap.PROT_WRITE)
    memory.write(code)
    place = ctypes.c_char.from_buffer(memory)
    address = ctypes.addressof(place)
    library = ctypes.CDLL(None, use_errno=True)
    library.mprotect.argtypes = [ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int]
    if library.mprotect(address, mmap.PAGESIZE, mmap.PROT_READ | mmap.PROT_EXEC):
        msg = "this system allows no new executable memory"
        raise OSError(ctypes.get_errno(), msg)
    _KEEP.append((memory, place))
    return address
