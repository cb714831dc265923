"""The front end, shared by the tests of this folder, and a short way to ask it."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest

from cl_magic.clc.analysis import Analysis
from cl_magic.clc.frontend import FrontEnd
from cl_magic.clc.libclang_location import locate_libclang


@pytest.fixture(scope="session")
def front() -> Iterator[FrontEnd]:
    """A running front end; absent only where libclang is."""
    if locate_libclang().reason:
        pytest.skip(locate_libclang().reason)
    # Seconds that a machine under load may need; the limit itself is tested apart.
    front = FrontEnd(timeout_s=60.0)
    yield front
    front.close()


@pytest.fixture
def analyse(front: FrontEnd) -> Callable[..., Analysis]:
    """Analysis of a text with options given one by one; it must be available."""

    def ask(source: str, *options: str) -> Analysis:
        answer = front.analyse(source, options=options)
        assert answer.available, answer.reason
        return answer

    return ask
