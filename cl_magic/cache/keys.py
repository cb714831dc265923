"""Keys of the cache: one digest of everything that an answer depends on, the code that makes it included."""

from __future__ import annotations

import functools
import hashlib
import os
from collections.abc import Iterable, Mapping
from pathlib import Path

import cl_magic._version
from cl_magic.cache.store import FORMAT_VERSION

_PARTS = ("build", "clc", "launch", "runtime")
_DRIVER_PREFIXES = ("POCL_", "OCLGRIND_", "CL_CONFIG_", "IGC_", "NEO_", "CUDA_", "CL_")
_WITHOUT_EFFECT = ("POCL_CACHE_DIR", "CUDA_CACHE_PATH", "CUDA_CACHE_MAXSIZE")


def key_of(kind: str, parts: Iterable[str]) -> str:
    """SHA-256 (hexadecimal) of what an answer depends on; where one part ends counts.

    Examples
    --------
    >>> key_of("build", ["ab", "c"]) == key_of("build", ["a", "bc"])
    False
    """
    every = [kind, str(FORMAT_VERSION), cl_magic._version.__version__, code_stamp(), *parts]  # noqa: SLF001 - ours
    joined = "".join(f"{len(part)}:{part}" for part in every)
    return hashlib.sha256(joined.encode("utf-8", "surrogatepass")).hexdigest()


@functools.cache
def code_stamp() -> str:
    """Digest of names, sizes and times of the modules that make the answers: another state of the code, other keys.

    Examples
    --------
    >>> len(code_stamp())
    64
    """
    root = Path(cl_magic._version.__file__).parent  # noqa: SLF001 - ours
    facts = [
        f"{path}:{found.st_size}:{found.st_mtime_ns}"
        for part in _PARTS
        for path in sorted((root / part).glob("*.py"))
        for found in [path.stat()]
    ]
    return hashlib.sha256("\n".join(facts).encode()).hexdigest()


def driver_variables(environment: Mapping[str, str] | None = None) -> tuple[str, ...]:
    """Environment variables that drivers read, as ``NAME=VALUE``: they change limits and code.

    Examples
    --------
    >>> driver_variables({"POCL_MAX_WORK_GROUP_SIZE": "64", "POCL_CACHE_DIR": "/tmp", "HOME": "/"})
    ('POCL_MAX_WORK_GROUP_SIZE=64',)
    """
    given = os.environ if environment is None else environment
    names = sorted(name for name in given if name.startswith(_DRIVER_PREFIXES) and name not in _WITHOUT_EFFECT)
    return tuple(f"{name}={given[name]}" for name in names if not name.startswith("CL_MAGIC_"))
