"""Live parameters: sliders for what has a range, and the picture, without the rest of the panel."""

from __future__ import annotations

from typing import Any

from cl_magic.errors import ArgumentError
from cl_magic.kernel import Kernel
from cl_magic.widgets.panel import KernelPanel


def kernel_panel(kernel: Kernel, /, *args: Any, **words: Any) -> KernelPanel:  # noqa: ANN401 - those of a call
    """Return a panel that drives a kernel; the same as ``kernel.panel(…)``.

    Parameters
    ----------
    kernel : Kernel
    *args, **words
        As the kernel would be called. What is missing is taken from the notebook's variables that fit; what has no
        variable is zeros of the global size. Text is a range: ``gain="0.0:2.0"``, ``TILE="4:64:x2"``.

    Raises
    ------
    ArgumentError
        A name that is neither a parameter nor a macro of the source, or a text that is no range.

    Examples
    --------
    >>> import cl_magic as clm
    >>> program = clm.build("kernel void f(global float *x, float gain) { x[get_global_id(0)] = gain; }")
    >>> kernel_panel(program.f, gain="0.0:2.0", global_size=64).wish["arguments"]
    {'x': 'new', 'gain': 0.0}
    """
    return KernelPanel(kernel, args, words)


def interact(kernel: Kernel, /, *args: Any, **words: Any) -> KernelPanel:  # noqa: ANN401 - those of a call
    """Return sliders for the arguments and macros that have a range, and the picture; a change runs the kernel.

    Parameters
    ----------
    kernel : Kernel
    *args, **words
        As for :func:`kernel_panel`. At least one range, here or in a comment of the source.

    Raises
    ------
    ArgumentError
        Nothing has a range.

    Examples
    --------
    >>> import cl_magic as clm
    >>> program = clm.build("kernel void f(global float *x, float gain) { x[get_global_id(0)] = gain; }")
    >>> sliders = interact(program.f, gain="0.0:2.0", global_size=64)
    >>> [control["name"] for control in sliders.form["arguments"]]
    ['gain']
    """
    made = KernelPanel(kernel, args, words, compact=True)
    if made.form["arguments"] or made.form["macros"]:
        return made
    made.close()
    message = f"{kernel.name}: nothing has a range, so there is nothing to change"
    first = next((p.name for p in kernel.signature.parameters if not p.is_pointer), "TILE")
    raise ArgumentError(message, remedy=f'for example {first}="1:8", or a comment: #define TILE 16  // 4:64:x2')
