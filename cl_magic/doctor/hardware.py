"""Cards that the system shows and no driver serves: a missing ``.icd`` file, or no permission to open the card."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path

from cl_magic.doctor.finding import Finding, Severity
from cl_magic.launch.limits import DeviceInfo

_NVIDIA_ICD = "mkdir -p /etc/OpenCL/vendors && echo libnvidia-opencl.so.1 > /etc/OpenCL/vendors/nvidia.icd"
_OTHERS = "install the vendor's OpenCL driver: intel-opencl-icd for Intel, ROCm for AMD"


def hardware_findings(known: Sequence[DeviceInfo], root: Path = Path("/")) -> tuple[Finding, ...]:
    """Return a finding for cards that no device stands for. Linux; elsewhere there is nothing to look at.

    Parameters
    ----------
    known : sequence of DeviceInfo
        Devices that drivers show.
    root : Path
        Folder that holds ``dev``.

    Examples
    --------
    >>> hardware_findings((), Path("/nowhere"))
    ()
    """
    gpus = [device for device in known if "gpu" in device.type and not device.simulator]
    nvidia = sorted((root / "dev").glob("nvidia[0-9]*"))
    if nvidia and not any(device.family == "nvidia" for device in gpus):
        return (_unserved("NVIDIA card", nvidia, "warn", _NVIDIA_ICD),)
    render = sorted((root / "dev/dri").glob("renderD*"))
    if render and not nvidia and not gpus:
        return (_unserved("GPU", render, "note", _OTHERS),)
    return ()


def _unserved(subject: str, nodes: Sequence[Path], severity: Severity, remedy: str) -> Finding:
    closed = [node for node in nodes if not os.access(node, os.R_OK | os.W_OK)]
    if closed:
        text = f"{closed[0]} may not be opened by this user, so no driver can show it; log in again after the remedy"
        return Finding("warn", subject, text, "sudo usermod -aG render,video $USER")
    text = f"{', '.join(map(str, nodes))} is there, and no driver shows it"
    return Finding(severity, subject, text, remedy)
