"""Tells a device that is lost from a launch that only failed: after some errors no command works any more."""

from __future__ import annotations

from cl_magic.errors import DeviceLostError, LaunchError
from cl_magic.runtime.context import DeviceContext
from cl_magic.runtime.opencl import opencl

SUSPICIOUS = frozenset({-5, -14, -34, -36, -9999})
"""OUT_OF_RESOURCES, EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST, INVALID_CONTEXT, INVALID_COMMAND_QUEUE, and NVIDIA's own
code for an illegal access, after which every later context of the process fails too."""
_PROBE_BYTES = 4


def answers(where: DeviceContext) -> bool:
    """Whether a device still executes a command: four bytes there and back."""
    cl = opencl()
    cell = bytearray(_PROBE_BYTES)
    try:
        buffer = cl.Buffer(where.context, cl.mem_flags.READ_WRITE, _PROBE_BYTES)
        cl.enqueue_copy(where.queue, buffer, cell, is_blocking=True)
        cl.enqueue_copy(where.queue, cell, buffer, is_blocking=True)
        where.queue.finish()
    except cl.Error:
        return False
    return True


def lost_device(error: LaunchError, where: DeviceContext) -> DeviceLostError | None:
    """The error for a device that does not work any more after `error`; None where it does.

    Parameters
    ----------
    error : LaunchError
        What the runtime said.
    where : DeviceContext
        Where the launch ran.
    """
    facts = error.facts
    if facts.get("code") not in SUSPICIOUS or answers(where):
        return None
    message = f"{where.info.short_name} was lost: {error.message}"
    remedy = "compare every index with its array's length; a new worker is started: run the cell again"
    kept = {name: facts.get(name) for name in ("code", "code_name", "routine", "kernel", "device", "printf")}
    return DeviceLostError(message, remedy=remedy, in_words=f"{facts.get('code_name')} ({facts.get('code')})", **kept)
