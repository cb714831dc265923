"""When a range may be rounded up: what the kernel's text must show before extra work-items are launched."""

from __future__ import annotations

from cl_magic.clc.signature import KernelSignature
from cl_magic.launch.wording import AXES


def padding_obstacle(signature: KernelSignature, axes: tuple[int, ...]) -> str | None:
    """Why the range must not be padded along `axes` (0 is x); None where nothing in the text speaks against it.

    A guard (a comparison of ``get_global_id`` of the padded dimension) must be there, and no work-item may return
    before a barrier that others wait at (OpenCL C 1.2, 6.12.8). A guard is a fact about the text, no proof of safety.

    Examples
    --------
    >>> padding_obstacle(KernelSignature("scale"), (0,))
    'scale has no guard on get_global_id(0), so extra work-items in x would run on it'
    """
    if signature.origin == "device":
        return f"the text of {signature.name} was not read, so no guard on the extra work-items is known"
    if signature.return_before_barrier is not None:
        line = signature.return_before_barrier
        return f"the return in line {line} stands before a barrier, which the extra work-items would never reach"
    guarded = {guard.dimension for guard in signature.guards}
    missing = next((axis for axis in axes if axis not in guarded), None)
    if missing is None:
        return None
    axis = AXES[missing]
    return f"{signature.name} has no guard on get_global_id({missing}), so extra work-items in {axis} would run on it"
