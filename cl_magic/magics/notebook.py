"""The notebook as the magics see it: its shell, its variables, and what cl_magic bound there."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any
from weakref import WeakKeyDictionary

from cl_magic.build.header_registry import HeaderRegistry
from cl_magic.kernel import Kernel
from cl_magic.magics.insertion import inserted_text
from cl_magic.magics.namespace import KernelNamespace

_MOST_INSERTED = 10_000

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
    inserted : dict of str to str
        Expressions of magic lines and the texts that they last stood for: what an editor may know of them.
    """

    def __init__(self, shell: Any) -> None:  # noqa: ANN401 - IPython's shells are not typed
        self.shell = shell
        known = _namespaces.get(shell)
        if known is None or known.names is not shell.user_ns:
            known = _namespaces[shell] = KernelNamespace(shell.user_ns, own_type=Kernel)
        self.kernels = known
        self.headers = _registries.setdefault(shell, HeaderRegistry())
        self.inserted: dict[str, str] = {}

    @property
    def names(self) -> dict[str, Any]:
        """The notebook's variables."""
        names: dict[str, Any] = self.shell.user_ns
        return names

    def insert(self, expression: str) -> str:
        """Text of an expression on a magic line, remembered."""
        text = inserted_text(expression, self.names)
        if len(self.inserted) < _MOST_INSERTED and len(text) <= _MOST_INSERTED:
            self.inserted[expression.strip()] = text
        return text

    def publish(self, bundle: Mapping[str, Any]) -> None:
        """Show a MIME bundle as an output of the running cell."""
        self.shell.display_pub.publish(dict(bundle))
