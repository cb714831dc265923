"""The notebook as the magics see it: its shell, its variables, and what cl_magic bound there."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any
from weakref import WeakKeyDictionary

from cl_magic.build.header_registry import HeaderRegistry
from cl_magic.kernel import Kernel
from cl_magic.magics.namespace import KernelNamespace

#: Kept over unloading and loading: what a cell had bound must still be unbound when it fails.
_namespaces: WeakKeyDictionary[Any, KernelNamespace] = WeakKeyDictionary()
_registries: WeakKeyDictionary[Any, HeaderRegistry] = WeakKeyDictionary()


class Notebook:
    """One shell with the extension loaded.

    Parameters
    ----------
    shell : IPython.core.interactiveshell.InteractiveShell

    Attributes
    ----------
    kernels : KernelNamespace
        The variables that are ours.
    headers : HeaderRegistry
        The virtual headers of header cells.
    """

    def __init__(self, shell: Any) -> None:  # noqa: ANN401 - IPython's shells are not typed
        self.shell = shell
        known = _namespaces.get(shell)
        if known is None or known.names is not shell.user_ns:
            known = _namespaces[shell] = KernelNamespace(shell.user_ns, own_type=Kernel)
        self.kernels = known
        self.headers = _registries.setdefault(shell, HeaderRegistry())

    @property
    def names(self) -> dict[str, Any]:
        """The notebook's variables."""
        names: dict[str, Any] = self.shell.user_ns
        return names

    def publish(self, bundle: Mapping[str, Any]) -> None:
        """Show a MIME bundle as an output of the running cell."""
        self.shell.display_pub.publish(dict(bundle))
