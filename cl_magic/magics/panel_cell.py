"""``%%opencl -i`` and ``--interact``: the panel of a cell's kernel as an output of its own."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from cl_magic.errors import MissingExtraError
from cl_magic.kernel import Kernel
from cl_magic.magics.notebook import Notebook
from cl_magic.magics.picker import publish_widget
from cl_magic.magics.request import CellRequest
from cl_magic.magics.run_call import RunCall, check_kernel, evaluate_arguments


def show_panel(notebook: Notebook, request: CellRequest, call: RunCall | None, kernels: Mapping[str, Kernel]) -> None:
    """Show the panel of the kernel that ``--run`` names, else of the cell's first one.

    Parameters
    ----------
    notebook : Notebook
    request : CellRequest
    call : RunCall or None
        Its arguments are what the panel starts with.
    kernels : mapping of str to Kernel

    Raises
    ------
    ArgumentError
        ``--interact`` names what the kernel does not have.
    MissingExtraError
        ipywidgets or anywidget is not installed.
    """
    kernel, args, words = _called(notebook, call, kernels)
    try:
        from cl_magic.widgets import KernelPanel  # noqa: PLC0415 - what it needs is an extra
    except ImportError:
        message = "a panel is made of ipywidgets and anywidget, which are not installed"
        raise MissingExtraError(message, remedy="pip install 'cl_magic[notebook]'", view="widgets") from None
    words |= dict(request.interact)
    made = KernelPanel(kernel, args, words, compact=not request.panel)
    if len(kernels) > 1 and call is None:
        others = ", ".join(f"{name}.panel()" for name in kernels if name != kernel.name)
        notebook.publish({"text/plain": f"The panel drives {kernel.name}; {others} shows another one."})
    publish_panel(notebook, made)


def _called(
    notebook: Notebook, call: RunCall | None, kernels: Mapping[str, Kernel]
) -> tuple[Kernel, tuple[Any, ...], dict[str, Any]]:
    if call is None:
        return next(iter(kernels.values())), (), {}
    check_kernel(call, kernels)
    values = evaluate_arguments(call, notebook.names)
    kernel = kernels[call.kernel] if values.sizes is None else kernels[call.kernel][values.sizes]
    return kernel, values.args, dict(values.keywords)


def publish_panel(notebook: Notebook, panel: Any) -> None:  # noqa: ANN401 - a KernelPanel
    """Show a panel, or its summary where no widget is seen."""
    bundle = panel._repr_mimebundle_()
    if isinstance(bundle, tuple):
        publish_widget(notebook, panel)
    else:
        notebook.publish(bundle)
