"""The side panel's questions: what a session knows by now, as JSON. No driver is loaded and no worker started for it.

A front end evaluates these functions as ``user_expressions``, on a subshell where the kernel has any, so that they
answer while a cell runs. Only :func:`find_devices` searches, and only a click calls it.
"""

from __future__ import annotations

import itertools
import json
import sys
from collections.abc import Iterator, Mapping
from typing import Any

from cl_magic.device_array import DeviceArray
from cl_magic.doctor.driver_files import driver_findings
from cl_magic.engine.discovery import Discovery, made_discovery
from cl_magic.errors import ClMagicError
from cl_magic.kernel import Kernel
from cl_magic.launch.limits import DeviceInfo
from cl_magic.program import Program
from cl_magic.record.run import RunRecord
from cl_magic.session import session

FACTS_VERSION = 1
MOST_RUNS = 20
MOST_ARRAYS = 200
MOST_TEXT = 200


class Facts(str):
    """JSON text that shows as it is: a front end reads what the kernel shows of it."""

    __slots__ = ()

    def __repr__(self) -> str:
        return str(self)


def facts_json() -> Facts:
    """Return what the panel shows: devices, programs, arrays on devices, the last runs.

    Devices are listed only where a search was made before.

    Returns
    -------
    Facts
        JSON text: ``version``, ``searched``, ``devices``, ``troubles``, ``programs``, ``arrays``, ``runs``.

    Examples
    --------
    >>> sorted(json.loads(facts_json()))
    ['arrays', 'devices', 'programs', 'runs', 'searched', 'trouble', 'troubles', 'version']
    """
    return _facts("")


def find_devices() -> Facts:
    """Search for devices, each driver in a process of its own, and return the facts.

    Examples
    --------
    >>> json.loads(find_devices())["searched"]
    True
    """
    session().reports(refresh=True)
    return _facts("")


def choose_device(device_id: str) -> Facts:
    """Make a device the current one, for all pickers and later cells, and return the facts.

    Where there is no such device, ``trouble`` says so.

    Parameters
    ----------
    device_id : str
        ``"0:1"``, as :func:`facts_json` lists it.

    Examples
    --------
    >>> json.loads(choose_device("99:0"))["trouble"]
    'there is no device 99:0; find devices again'
    """
    found = made_discovery()
    chosen = next((one for one in found.devices if one.id == device_id), None) if found else None
    if chosen is None:
        return _facts(f"there is no device {device_id[:MOST_TEXT]}; find devices again")
    try:
        session().select(chosen)
    except ClMagicError as error:
        return _facts(str(error)[:MOST_TEXT])
    return _facts("")


def run_record(run: str) -> RunRecord | None:
    """Return one of the runs that are kept, by the ``id`` that :func:`facts_json` gives it; None: it is gone.

    A kernel that shows the value sends its report with what the live views are drawn from.

    Examples
    --------
    >>> run_record("no such run") is None
    True
    """
    return next((record for record in session().records if _run_id(record) == run), None)


def _facts(trouble: str) -> Facts:
    names = _notebook_names()
    found = made_discovery()
    facts: dict[str, Any] = {
        "version": FACTS_VERSION,
        "searched": found is not None,
        "trouble": trouble,
        "devices": _devices(found),
        "troubles": _troubles(found),
        "programs": [_program(program, names) for program in reversed(session().programs)],
        "arrays": list(itertools.islice(_arrays(names), MOST_ARRAYS)),
        "runs": [_run(record) for record in reversed(session().records[-MOST_RUNS:])],
    }
    return Facts(json.dumps(facts, ensure_ascii=False))


def _notebook_names() -> dict[str, Any]:
    main = sys.modules.get("__main__")
    return {name: value for name, value in list(vars(main).items()) if not name.startswith("_")} if main else {}


def _devices(found: Discovery | None) -> list[dict[str, Any]]:
    if found is None:
        return []
    current = _current()
    return [_device(device, chosen=device == current) for device in found.devices]


def _current() -> DeviceInfo | None:
    try:
        return session().device
    except ClMagicError:
        return None  # the list says which devices there are


def _device(device: DeviceInfo, *, chosen: bool) -> dict[str, Any]:
    return {
        "id": device.id,
        "name": device.short_name,
        "device": device.name,
        "platform": f"{device.platform_name}, {device.platform_version}",
        "units": device.compute_units,
        "memory": device.global_mem_bytes,
        "simulator": device.simulator,
        "available": device.available,
        "chosen": chosen,
    }


def _troubles(found: Discovery | None) -> list[dict[str, str]]:
    findings = driver_findings(found) if found is not None else ()
    return [
        {"driver": one.subject, "trouble": one.text, "remedy": one.remedy}
        for one in findings
        if one.severity == "error"
    ]


def _program(program: Program, names: Mapping[str, Any]) -> dict[str, Any]:
    result = program.result
    held = [name for name, value in names.items() if value is program]
    return {
        "source": result.spec.source_map.name,
        "kernels": [_kernel(program, name, names) for name in program.kernel_names],
        "variables": held,
        "device": program.device.short_name,
        "language": result.language_version,
        "options": " ".join(result.spec.options)[:MOST_TEXT],
        "warnings": result.count("warning"),
        "outdated": program.newer_spec is not None,
    }


def _kernel(program: Program, name: str, names: Mapping[str, Any]) -> dict[str, Any]:
    held = [
        variable
        for variable, value in names.items()
        if isinstance(value, Kernel) and value.program is program and value.name == name
    ]
    return {"name": name, "variables": held}


def _arrays(names: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    for name, value in names.items():
        if isinstance(value, DeviceArray):
            state = "freed" if value.freed else "in use" if value.in_flight else ""
            yield {
                "name": name,
                "shape": list(value.shape),
                "dtype": str(value.dtype),
                "bytes": 0 if value.freed else value.nbytes,
                "device": value.device.short_name,
                "state": state,
            }


def _run_id(record: RunRecord) -> str:
    return f"{record.kernel}-{record.host_start_ns}-{record.created}"


def _run(record: RunRecord) -> dict[str, Any]:
    return {
        "id": _run_id(record),
        "kernel": record.kernel,
        "device": record.device.short_name,
        "global": list(record.plan.global_size),
        "duration": record.duration_ns,
        "created": record.created,
        "failed": record.status == "failed",
    }
