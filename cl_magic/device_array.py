"""An array that lives on a device between launches, with plain rules for when the host sees what is in it.

A :class:`DeviceArray` is changed by kernels, by ``clm.copyto`` and inside ``with array.host(…)``. The host gets
snapshots (``array.numpy()``) or the memory itself for a while (``with array.host("rw") as view``). Access while a
launch that was not waited for uses the array is an error, not a wait that nobody sees.
"""

from __future__ import annotations

import math
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, Literal

import numpy as np

from cl_magic.engine.commands import Copy, Transfer
from cl_magic.engine.device_memory import DeviceMemory
from cl_magic.engine.protocol import Engine
from cl_magic.errors import ArgumentError
from cl_magic.launch.arguments import BoundArguments
from cl_magic.launch.array_part import Part, part_of
from cl_magic.launch.array_rules import array_error, checked_dtype
from cl_magic.launch.limits import DeviceInfo
from cl_magic.launch.wording import count

Access = Literal["r", "w", "rw"]
_SHOWN = 3


class DeviceArray:
    """A C-ordered array in a device's memory. Made by :func:`empty`, :func:`zeros`, :func:`ones`, :func:`array`.

    Slices along the first axis are parts of the same memory (sub-buffers) where they begin at an address that the
    device allows, and copies, with a warning, where they do not (OpenCL 1.2, 5.2.1).

    Attributes
    ----------
    shape : tuple of int
    dtype : numpy.dtype
    device : DeviceInfo
    note : str
        What was done that nobody asked for: that it is a copy of a slice; else "".

    Examples
    --------
    >>> from cl_magic.array import array
    >>> x = array([1, 2, 3], dtype="int32")
    >>> x.numpy()
    array([1, 2, 3], dtype=int32)
    """

    __slots__ = ("__weakref__", "_memory", "device", "dtype", "note", "offset", "shape")

    def __init__(
        self, memory: DeviceMemory, device: DeviceInfo, shape: tuple[int, ...], dtype: np.dtype[Any], offset: int = 0
    ) -> None:
        self._memory, self.device, self.shape, self.dtype, self.offset = memory, device, shape, dtype, offset
        self.note = ""

    @property
    def base_data(self) -> DeviceMemory:
        """The memory that it is a part of, from byte `offset` on."""
        return self._memory

    @property
    def size(self) -> int:
        """Number of elements."""
        return int(np.prod(self.shape, dtype=np.int64))

    @property
    def ndim(self) -> int:
        """Number of axes."""
        return len(self.shape)

    @property
    def nbytes(self) -> int:
        """Bytes of its elements."""
        return self.size * self.dtype.itemsize

    @property
    def engine_name(self) -> str:
        """Name of the engine that has it: "worker" or "inline"."""
        return str(self._memory.engine.name)

    @property
    def in_flight(self) -> bool:
        """Whether a launch that was not waited for still uses it."""
        return self._memory.in_flight

    @property
    def freed(self) -> bool:
        """Whether it was freed."""
        return self._memory.host is None

    def wait(self, timeout: float | None = None) -> DeviceArray:
        """Wait until no launch uses it and return it; TimeoutError after `timeout` seconds."""
        last = self._memory.last
        if last is not None:
            last.result(timeout)
            self._memory.last = None
        return self

    def numpy(self) -> np.ndarray[Any, Any]:
        """Return what is in it now: a read-only snapshot.

        Raises
        ------
        ArgumentError
            It was freed, is open for the host, or a launch that was not waited for uses it.

        Examples
        --------
        >>> from cl_magic.array import ones
        >>> ones(2).numpy().flags.writeable
        False
        """
        with self.host("r") as view:
            found = np.array(view)
        found.flags.writeable = False
        return found

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> np.ndarray[Any, Any]:  # noqa: ANN401, FBT001
        if copy is False:
            msg = "a device array is copied to become a NumPy array; use with array.host('r') for its memory itself"
            raise ValueError(msg)
        found = self.numpy()
        return found if dtype is None or found.dtype == dtype else found.astype(dtype)

    @contextmanager
    def host(self, access: Access = "r") -> Iterator[np.ndarray[Any, Any]]:
        """Open the memory for the host.

        Parameters
        ----------
        access : {"r", "w", "rw"}
            Read, overwrite wholly (nothing is brought over), or both. No launch can use the array inside the block.

        Examples
        --------
        >>> from cl_magic.array import zeros
        >>> x = zeros(3)
        >>> with x.host("w") as view:
        ...     view[:] = 7
        >>> x.numpy()
        array([7., 7., 7.], dtype=float32)
        """
        if access not in ("r", "w", "rw"):
            raise array_error(self, f"host({access!r}): no access of that name", 'host("r"), host("w") or host("rw")')
        self.check()
        memory = self._memory
        self._transfer("map", access)
        if memory.host is None:
            raise array_error(self, "was freed", "make it again")
        view = memory.host[self.offset : self.offset + self.nbytes].view(self.dtype).reshape(self.shape)
        view.flags.writeable = access != "r"
        memory.open_for_host += 1
        try:
            yield view
        finally:
            memory.open_for_host -= 1
            view.flags.writeable = False
            self._transfer("unmap", access)

    def _transfer(self, action: Literal["map", "unmap"], access: Access) -> None:
        memory = self._memory
        command = Transfer(memory.device, memory.number, action, access, self.offset, self.nbytes)
        ticket = memory.engine.submit(command, (memory,))
        if action == "map":
            ticket.result()  # nobody waits for an unmap: what comes next is executed after it
        if self.nbytes == memory.nbytes:
            memory.ahead = False

    def check(self) -> None:
        """Refuse what cannot be touched now.

        Raises
        ------
        ArgumentError
            It was freed, is open for the host, or a launch that was not waited for uses it.
        """
        memory = self._memory
        if memory.barred and not (memory.open_for_host and not self.freed):
            raise array_error(self, memory.barred, "make it again" if self.freed else "leave the with block first")
        if memory.in_flight:
            what = "is used by a launch that was not waited for (wait=False)"
            raise array_error(self, what, "wait() for that launch, or array.wait()")

    def __getitem__(self, key: Any) -> Any:  # noqa: ANN401 - what NumPy takes
        part = self._part(key)
        if part.scalar:
            return DeviceArray(self._memory, self.device, (), self.dtype, part.offset).numpy()[()]
        align = max(self.device.mem_base_addr_align_bits // 8, 1)
        if part.offset % align == 0 or part.shape == self.shape:
            return DeviceArray(self._memory, self.device, part.shape, self.dtype, part.offset)
        return self._copied(part, align)

    def _part(self, key: Any) -> Part:  # noqa: ANN401
        if self._memory.host is None:
            raise array_error(self, "was freed", "make it again")
        return part_of(self, self._memory.host, key)

    def _copied(self, part: Part, align: int) -> DeviceArray:
        self.check()
        made = self._like(part.shape, self.dtype)
        copy_memory(self._memory, part.offset, made, made.nbytes)
        begin = part.offset - self.offset
        made.note = (
            f"a copy: the slice begins at byte {count(part.offset)}, and {self.device.short_name} shares memory only "
            f"from multiples of {align} B on (byte {count(begin)} of the array)"
        )
        warnings.warn(f"the slice of {self._short()} is {made.note}", stacklevel=3)
        return made

    def __setitem__(self, key: Any, value: Any) -> None:  # noqa: ANN401
        part = self._part(key)
        with DeviceArray(self._memory, self.device, part.shape, self.dtype, part.offset).host("w") as view:
            view[...] = value

    def __len__(self) -> int:
        if not self.shape:
            msg = "len() of an array without axes"
            raise TypeError(msg)
        return self.shape[0]

    def __iter__(self) -> Iterator[Any]:
        return iter(self.numpy())

    def free(self) -> None:
        """Give the memory back, after the launches that use it; the array cannot be used any more."""
        memory = self._memory
        if memory.open_for_host:
            raise array_error(self, "is open for the host", "leave the with block first")
        if not self.freed and self.nbytes != memory.nbytes:
            raise array_error(self, "is a slice of another array", "free the whole array")
        memory.free()

    def copy(self) -> DeviceArray:
        """Return a copy on the same device."""
        self.check()
        made = self._like(self.shape, self.dtype)
        copy_memory(self._memory, self.offset, made, self.nbytes)
        return made

    def astype(self, dtype: Any) -> DeviceArray:  # noqa: ANN401 - what NumPy takes
        """Return a copy on the same device with elements of another type; converted by the host."""
        values = self.numpy().astype(checked_dtype(dtype))
        made = self._like(self.shape, values.dtype)
        with made.host("w") as view:
            view[...] = values
        return made

    def _like(self, shape: tuple[int, ...], dtype: np.dtype[Any]) -> DeviceArray:
        memory = self._memory.engine.memory(self._memory.device, math.prod(shape) * dtype.itemsize)
        return DeviceArray(memory, self.device, shape, dtype)

    def _short(self) -> str:
        shape = f"({self.shape[0]},)" if len(self.shape) == 1 else str(self.shape)
        return f"clm array {self.dtype} {shape} on {self.device.short_name}"

    def __repr__(self) -> str:
        if self.freed:
            return f"<{self._short()}, freed>"
        if self._memory.in_flight:
            return f"<{self._short()}, used by a launch>"
        return f"<{self._short()}: [{self._preview()}]{'; ' + self.note if self.note else ''}>"

    def _preview(self) -> str:
        """First and last elements; nothing else is transferred."""
        if self.size <= 2 * _SHOWN:
            return " ".join(str(item) for item in self._flat(0, self.size))
        ends = (self._flat(0, _SHOWN), self._flat(self.size - _SHOWN, _SHOWN))
        return " … ".join(" ".join(str(item) for item in end) for end in ends)

    def _flat(self, begin: int, size: int) -> np.ndarray[Any, Any]:
        at = self.offset + begin * self.dtype.itemsize
        return DeviceArray(self._memory, self.device, (size,), self.dtype, at).numpy()


def check_arrays(bound: BoundArguments, device: DeviceInfo, engine: Engine) -> None:
    """Refuse device arrays of another device or engine, freed ones and ones that the host has open.

    Raises
    ------
    ArgumentError
        ``kernel`` and ``parameter`` are attributes.

    Examples
    --------
    >>> from cl_magic.clc.signature import KernelSignature
    >>> from cl_magic.device import device, engine_for
    >>> check_arrays(BoundArguments(KernelSignature("f")), device(), engine_for(device()))
    """
    for argument in bound.arrays:
        value = bound.values[argument.slot]
        if not isinstance(value, DeviceArray):
            continue
        memory = value.base_data
        facts = {"kernel": bound.signature.name, "parameter": argument.name}
        if memory.barred:
            remedy = "make it again" if value.freed else "leave the with block first"
            message = f"{bound.signature.name}: the array {argument.name} {memory.barred}"
            raise ArgumentError(message, remedy=remedy, **facts)
        if memory.engine is not getattr(engine, "root", engine) or value.device.id != device.id:
            has = f"{value.device.short_name} ({memory.engine.name} engine)"
            runs = f"{device.short_name} ({engine.name} engine)"
            message = f"{bound.signature.name}: {argument.name} is an array on {has}, and the program is on {runs}"
            other = f", device={value.device.id!r}" if value.device.id != device.id else ""
            remedy = f"call it with engine={memory.engine.name!r}{other}, or pass {argument.name}.numpy()"
            raise ArgumentError(message, remedy=remedy, **facts)


def copy_memory(memory: DeviceMemory, offset: int, to: DeviceArray, nbytes: int) -> None:
    """Copy bytes from memory into an array of the same device and engine.

    Examples
    --------
    >>> copy_memory.__name__
    'copy_memory'
    """
    target = to.base_data
    command = Copy(memory.device, memory.number, target.number, offset, to.offset, nbytes)
    memory.engine.submit(command, (memory, target)).result()
    target.wrote()
