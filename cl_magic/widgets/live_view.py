"""A payload drawn in the browser while the kernel lives: one widget for all kinds of views.

The widget holds the payload in one trait, so that a new payload is one message; questions of the picture (an exact
value, a finer part) come back as messages and are answered by the function the view was made with.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import anywidget
import traitlets

from cl_magic.views.module import module_text
from cl_magic.views.payload import Payload

Answer = tuple[dict[str, Any], list[bytes]]
Answerer = Callable[[dict[str, Any]], Answer]


class LiveView(anywidget.AnyWidget):
    """A live picture of a payload.

    Parameters
    ----------
    payload : Payload
        What is drawn first; :meth:`show` replaces it.
    answerer : callable, optional
        Called with a question of the picture, returns a dict and a list of bytes. Without one the picture asks
        nothing.

    Attributes
    ----------
    payload : dict
        The payload's message; the front end draws whenever it changes.
    drawn : int
        How many payloads the front end said it has drawn; 0 where none is there.

    Examples
    --------
    >>> import numpy as np
    >>> view = LiveView(Payload("buffer", "r1", {"name": "x"}, {"cells": np.arange(4.0)}))
    >>> view.payload["kind"]
    'buffer'
    """

    _esm = module_text()
    payload = traitlets.Dict().tag(sync=True)
    tab = traitlets.Unicode("").tag(sync=True)
    serial = traitlets.Int(0).tag(sync=True)

    def __init__(self, payload: Payload, *, answerer: Answerer | None = None, **traits: Any) -> None:  # noqa: ANN401
        super().__init__(payload=payload.message(), **traits)
        self.drawn = 0
        self.changes: list[Callable[[dict[str, Any]], None]] = []
        self._answerer = answerer
        self.on_msg(self._heard)

    def __repr__(self) -> str:
        about = self.payload.get("head", {}).get("kernel", "")
        return f"live view of {about or self.payload.get('kind', 'nothing')}: drawn where a front end shows widgets"

    def show(self, payload: Payload) -> None:
        """Draw another payload in place of the present one."""
        with self.hold_sync():
            self.serial += 1
            self.payload = payload.message()

    def _heard(self, _: object, message: dict[str, Any], __: list[bytes]) -> None:
        if message.get("type") == "drawn":
            self.drawn += 1
        elif message.get("type") == "change":
            for listener in self.changes:
                listener(message.get("change", {}))
        elif message.get("type") == "ask":
            facts, buffers = self._answer(message.get("request", {}))
            self.send({"type": "answer", "id": message.get("id")} | facts, buffers)

    def _answer(self, request: dict[str, Any]) -> Answer:
        if self._answerer is None:
            return {"error": "nothing here answers questions of the picture"}, []
        try:
            return self._answerer(request)
        except Exception as error:  # noqa: BLE001 - told to the picture, which is where the question came from
            return {"error": str(error)}, []
