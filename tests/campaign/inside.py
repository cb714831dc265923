"""What runs in the notebook of the campaign, beside its cells: variables that nobody may change, and the probe."""

from __future__ import annotations

import hashlib
import json
import time
from collections.abc import Callable
from typing import Any

import numpy as np

import cl_magic as clm
from cl_magic.device import engine_for

PROBE = """kernel void campaign_probe(global float *y, global const float *x, float a)
{ size_t i = get_global_id(0); y[i] = a * x[i] + y[i]; }"""
_ITEMS = 64
_FACTS = (
    "kernel",
    "in_words",
    "last_words",
    "parameter",
    "signal",
    "reason",
    "code_name",
    "partly_written",
    "arrays_unchanged",
    "recovery_ms",
)
_FAULT = ("kind", "where", "parameter", "side", "distance_bytes", "changed_bytes", "array_bytes")

_programs: dict[str, Any] = {}
_sums: dict[str, str] = {}
_bound: dict[str, Any] = {}
_old: dict[str, Any] = {}
_last: list[BaseException | None] = []
_workers_before: dict[str, int | None] = {}
_round = 0


def start(shell: Any, devices: list[str]) -> str:
    """Load the magics, build the probe on each device, put the variables that are watched into the notebook."""
    shell.extension_manager.load_extension("cl_magic")
    shell.events.register("post_run_cell", _keep_error)
    shell.user_ns.update(clm=clm, np=np, **_watched())
    for name in _watched():
        _sums[name] = _sum(shell.user_ns[name])
    for device in devices:
        _programs[device] = clm.build(PROBE, device=device)
        _probe(device)
    return json.dumps(_pids())


def _watched() -> dict[str, Any]:
    numbers = np.random.default_rng(1)
    return {
        "kept_small": np.arange(7, dtype=np.int8),
        "kept_floats": numbers.random(1000, dtype=np.float32),
        "kept_page": np.arange(512, dtype=np.int64),
        "kept_large": numbers.integers(0, 255, 1 << 20, dtype=np.uint8),
        "kept_view": np.arange(900, dtype=np.float64).reshape(30, 30)[::2, ::3],
        "kept_records": np.zeros(5, [("a", "i4"), ("b", "f8", 3)]),
        "kept_list": list(range(300)),
        "kept_words": {"one": b"\x01\x00\xff", "two": ("x", 2.5, None)},
        "kept_text": "a notebook's variable " * 20,
        **_device_arrays(),
    }


def _device_arrays() -> dict[str, Any]:
    """Arrays that live in memory shared with the workers: those that a wild kernel could reach."""
    make: Callable[..., Any] | None = getattr(clm, "array", None)
    if make is None:
        return {}
    return {"kept_shared": make(np.arange(100, dtype=np.int32)), "kept_pages": make(np.full(4096, 3, np.float32))}


def _sum(value: Any) -> str:
    data = np.asarray(value) if hasattr(value, "dtype") else None
    raw = data.tobytes() if data is not None else repr(value).encode()
    return hashlib.blake2b(raw).hexdigest()


def _keep_error(result: Any) -> None:
    error = result.error_in_exec or result.error_before_exec
    if error is not None:
        _last.append(error)


def before(**arrays: Any) -> None:
    """Remember the arrays that a launch will get, and what is in them."""
    _last.clear()
    _bound.clear()
    _old.clear()
    _workers_before.update(_pids())
    _bound.update(arrays)
    _old.update({name: _copy(array) for name, array in arrays.items()})


def _copy(array: Any) -> Any:
    return np.array(array, copy=True) if hasattr(array, "dtype") else array


def bits(array: Any) -> Any:
    """Bytes of an array: equal for equal NaN payloads."""
    return np.ascontiguousarray(array).reshape(-1).view(np.uint8)


def same(one: Any, other: Any) -> bool:
    """Whether two arrays hold the same bits."""
    return bool(np.array_equal(bits(one), bits(other))) if hasattr(one, "dtype") and one.dtype != object else True


def after(names: dict[str, Any], device: str, check: str) -> str:
    """What became of the case, as JSON: the error's facts, the value, the arrays, the other variables, the probe."""
    error = _last[-1] if _last else None
    fresh = {"old": _old, "run": names.get("run"), "np": np, "bits": bits, "same": same, **_bound}
    value: Any = None
    trouble = ""
    if error is None and check:
        try:
            value = bool(eval(check, fresh))  # noqa: S307 - the campaign's own text
        except Exception as wrong:  # noqa: BLE001 - told to the runner
            trouble = f"{type(wrong).__name__}: {wrong}"
    answer = {
        "error": type(error).__name__ if error is not None else "",
        "ours": isinstance(error, clm.ClMagicError),
        "message": str(error)[:2000] if error is not None else "",
        "facts": _facts(error),
        "value": value,
        "check_trouble": trouble,
        "bound_changed": [name for name, array in _bound.items() if not same(array, _old[name])],
        "changed": _changed(names),
        "workers_then": dict(_workers_before),
    }
    answer |= _timed_probe(device)
    answer["workers_now"] = _pids()
    return json.dumps(answer, default=str)


def _changed(names: dict[str, Any]) -> list[str]:
    """The watched variables that are not as they were; each is told once."""
    found = []
    for name, known in _sums.items():
        now = _sum(names[name]) if name in names else "deleted"
        if now != known:
            found.append(name)
            _sums[name] = now
    return found


def _facts(error: BaseException | None) -> dict[str, Any]:
    known = getattr(error, "facts", {})
    found = {name: known[name] for name in _FACTS if known.get(name) is not None}
    stopped = getattr(error, "stopped", None)
    if stopped is not None:
        found["stopped"] = stopped.sentence
    fault = known.get("fault")
    if fault is not None:
        found["fault"] = {name: getattr(fault, name) for name in _FAULT}
    return found


def _timed_probe(device: str) -> dict[str, Any]:
    begin = time.perf_counter()
    try:
        _probe(device)
    except Exception as error:  # noqa: BLE001 - told to the runner
        return {"probe": f"{type(error).__name__}: {error}"[:500], "probe_ms": 0.0}
    return {"probe": "", "probe_ms": (time.perf_counter() - begin) * 1e3}


def _probe(device: str) -> None:
    """Run saxpy on fresh arrays and compare with NumPy."""
    global _round  # noqa: PLW0603 - other numbers each time
    _round += 1
    x = np.arange(_ITEMS, dtype=np.float32) + np.float32(_round)
    y = np.full(_ITEMS, 0.5, np.float32)
    _programs[device]["campaign_probe"](y, x, 2.0, global_size=_ITEMS, local_size=8)
    wanted = x * np.float32(2) + np.float32(0.5)
    if not np.array_equal(y, wanted):
        msg = f"saxpy gave {y[:4].tolist()} … instead of {wanted[:4].tolist()} …"
        raise ArithmeticError(msg)


def _pids() -> dict[str, int | None]:
    """Process ids of the workers, by device."""
    engines: dict[str, Any] = {device: engine_for(program.device) for device, program in _programs.items()}
    return {device: engine.pid for device, engine in engines.items()}
