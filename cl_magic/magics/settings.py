"""``%config OpenCL``: what a notebook can set once for all its cells."""

from __future__ import annotations

from typing import Any

from traitlets import Float, TraitError, validate
from traitlets.config import Configurable

from cl_magic.session import session


class OpenCL(Configurable):
    """Settings of cl_magic in a shell; also ``c.OpenCL`` in ``ipython_config.py``.

    Parameters
    ----------
    shell : IPython.core.interactiveshell.InteractiveShell

    Examples
    --------
    >>> from IPython.core.interactiveshell import InteractiveShell
    >>> settings = OpenCL(InteractiveShell())
    >>> settings.timeout is None
    True
    """

    timeout = Float(
        None,
        allow_none=True,
        help="Seconds that a launch may take where its call and its cell say nothing; None: without end.",
    ).tag(config=True)

    def __init__(self, shell: Any) -> None:  # noqa: ANN401 - IPython's shells are not typed
        self._shell = shell
        super().__init__(parent=shell)
        session().timeout = self.timeout
        self.observe(self._pass_on, "timeout")
        shell.configurables.append(self)

    @validate("timeout")
    def _check(self, proposal: Any) -> float | None:  # noqa: ANN401 - traitlets' own
        value: float | None = proposal["value"]
        if value is not None and not value > 0:
            msg = f"OpenCL.timeout is {value:g}; it takes seconds above 0, or None for no end"
            raise TraitError(msg)
        return value

    def _pass_on(self, change: Any) -> None:  # noqa: ANN401 - traitlets' own
        session().timeout = change["new"]

    def remove(self) -> None:
        """Take the settings out of the shell; launches have no end set any more."""
        if self in self._shell.configurables:
            self._shell.configurables.remove(self)
        session().timeout = None
