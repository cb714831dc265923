"""The magics themselves: ``%opencl`` and ``%%opencl``. All they do is hand their strings on."""

from __future__ import annotations

from typing import Any

from IPython.core.magic import Magics, cell_magic, line_magic, magics_class, no_var_expand

from cl_magic.magics.cell import run_cell
from cl_magic.magics.notebook import Notebook
from cl_magic.magics.verbs import run_line


@magics_class
class OpenCLMagics(Magics):
    """One name, ``opencl``, as a line magic and as a cell magic.

    Parameters
    ----------
    shell : IPython.core.interactiveshell.InteractiveShell

    Attributes
    ----------
    extension : object
        What registered the magics and can take them back.
    """

    def __init__(self, shell: Any) -> None:  # noqa: ANN401 - IPython's shells are not typed
        super().__init__(shell)
        self.notebook = Notebook(shell)
        self.extension: object = None

    @no_var_expand
    @line_magic("opencl")  # type: ignore[arg-type]  # typed as a decorator without a name
    def opencl_line(self, line: str) -> Any:  # noqa: ANN401 - what a run gave
        """Devices, programs, options and help of cl_magic: ``%opencl help``."""
        return run_line(self.notebook, line)

    @no_var_expand
    @cell_magic("opencl")  # type: ignore[arg-type]  # typed as a decorator without a name
    def opencl_cell(self, line: str, cell: str) -> Any:  # noqa: ANN401 - what a run gave
        """Build the OpenCL C of this cell; ``%opencl help`` lists the flags of the line."""
        return run_cell(self.notebook, line, cell)
