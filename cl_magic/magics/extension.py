"""Loading and unloading in a shell: magics, reports, settings, input transformer; all of it restored.

Loading waits for nothing: no driver is loaded here, and what a first cell needs is started beside the user's work.
"""

from __future__ import annotations

from typing import Any

from cl_magic.magics.completer import Completion
from cl_magic.magics.errors_shown import ErrorReports
from cl_magic.magics.first_line import transform
from cl_magic.magics.inspector import Inspection
from cl_magic.magics.opencl import OpenCLMagics
from cl_magic.magics.settings import OpenCL
from cl_magic.magics.waits_shown import LongWaits
from cl_magic.magics.warm_up import warm_up

_KINDS = ("line", "cell")


class Extension:
    """cl_magic in one shell.

    Parameters
    ----------
    shell : IPython.core.interactiveshell.InteractiveShell
    """

    def __init__(self, shell: Any) -> None:  # noqa: ANN401 - IPython's shells are not typed
        self.shell = shell
        table = shell.magics_manager.magics
        self._before = {kind: table[kind].get("opencl") for kind in _KINDS}
        magics = OpenCLMagics(shell)
        magics.extension = self  # the shell keeps it: no list of shells here, which would keep them alive
        shell.register_magics(magics)
        shell.input_transformers_cleanup.append(transform)
        self._magics = magics
        self._parts = (
            ErrorReports(shell),
            LongWaits(shell),
            OpenCL(shell),
            Completion(shell, magics.notebook),
            Inspection(shell, magics.notebook),
        )

    def unload(self) -> None:
        """Take everything back; kernels keep their variables and stay callable."""
        for part in self._parts:
            part.remove()
        if self._magics in self.shell.configurables:
            self.shell.configurables.remove(self._magics)
        if transform in self.shell.input_transformers_cleanup:
            self.shell.input_transformers_cleanup.remove(transform)
        manager = self.shell.magics_manager
        for kind, before in self._before.items():
            if before is None:
                manager.magics[kind].pop("opencl", None)
            else:
                manager.magics[kind]["opencl"] = before
        manager.registry.pop(OpenCLMagics.__name__, None)


def _loaded(shell: Any) -> Extension | None:  # noqa: ANN401 - IPython's shells are not typed
    magics = shell.magics_manager.registry.get(OpenCLMagics.__name__)
    return getattr(magics, "extension", None)


def load(shell: Any) -> None:  # noqa: ANN401 - IPython's shells are not typed
    """Load the extension into a shell; once is enough.

    Parameters
    ----------
    shell : IPython.core.interactiveshell.InteractiveShell

    Examples
    --------
    >>> from IPython.core.interactiveshell import InteractiveShell
    >>> shell = InteractiveShell()
    >>> load(shell)
    >>> shell.find_cell_magic("opencl").__name__
    'opencl_cell'
    >>> unload(shell)
    >>> shell.find_cell_magic("opencl") is None
    True
    """
    if _loaded(shell) is None:
        Extension(shell)
        if getattr(shell, "kernel", None) is not None:  # a person at a notebook: the next cell comes in seconds
            warm_up()


def unload(shell: Any) -> None:  # noqa: ANN401 - IPython's shells are not typed
    """Unload the extension from a shell where it is loaded.

    Parameters
    ----------
    shell : IPython.core.interactiveshell.InteractiveShell
    """
    extension = _loaded(shell)
    if extension is not None:
        extension.unload()
