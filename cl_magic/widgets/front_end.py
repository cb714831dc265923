"""Whether a widget would be seen: by whoever sent the cell that runs now."""

from __future__ import annotations

import sys
from typing import Any


def shows_widgets() -> bool:
    """Whether the cell that runs now came from a front end that shows widgets.

    JupyterLab and Notebook send the identity of the cell, and every front end with a person before it can be asked for
    input. Programs that run notebooks (nbclient, papermill, nbconvert) do neither, and a widget that they leave in the
    file is dead. Colab is known by its own package.

    Examples
    --------
    >>> shows_widgets()  # no kernel here
    False
    """
    if "google.colab" in sys.modules:
        return True
    application = getattr(sys.modules.get("ipykernel.kernelapp"), "IPKernelApp", None)
    if application is None or not application.initialized():
        return False
    request = _parent(application.instance().kernel)
    return bool(request.get("metadata", {}).get("cellId") or request.get("content", {}).get("allow_stdin"))


def _parent(kernel: Any) -> dict[str, Any]:  # noqa: ANN401 - an ipykernel Kernel
    parent: dict[str, Any] = kernel.get_parent("shell") or {}
    return parent
