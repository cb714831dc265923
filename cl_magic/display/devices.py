"""Devices of all drivers as a table: facts in columns, capabilities as badges, drivers in trouble with the remedy."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from cl_magic.display.escape import escape, plain
from cl_magic.display.layout import columns, sentence
from cl_magic.display.page import wrap
from cl_magic.display.parts import bold, dim, facts, head, icon, small
from cl_magic.display.quantity import capacity, count, counted
from cl_magic.launch.limits import DeviceInfo, DriverReport

_HEADS = ("#units", "#MHz", "#memory", "#local", "#max group", "OpenCL C")
_NOT_REPORTED = '<span class="dim"><span aria-hidden="true">–</span><span class="sr">not reported</span></span>'
_CAPABILITIES = ("fp64", "fp16", "images", "SVM", "sub-groups")


@dataclass(frozen=True, slots=True)
class DevicesView:
    """What ``%opencl devices`` shows: reports of all drivers, and the id of the chosen device.

    `folded` shows the first line only, until it is clicked: a picker that follows shows the rest.
    """

    reports: tuple[DriverReport, ...]
    chosen: str = ""
    folded: bool = False

    @property
    def devices(self) -> tuple[DeviceInfo, ...]:
        """All devices of all drivers."""
        return tuple(device for report in self.reports for device in report.devices)


def capabilities(device: DeviceInfo) -> list[str]:
    """What the device can do, in badges' words; ``SVM fine`` names its strongest kind.

    Examples
    --------
    >>> svm = ("coarse_grain_buffer", "fine_grain_buffer")
    >>> capabilities(DeviceInfo("0:0", "d", "p", "1.2", ("cpu",), fp64=True, svm=svm))
    ['fp64', 'SVM fine']
    """
    strongest = next((kind for kind in ("system", "fine", "coarse") if any(kind in word for word in device.svm)), "")
    svm = f"SVM {strongest}" if strongest else "SVM" if device.svm else ""
    has = [("fp64", device.fp64), ("fp16", device.fp16), ("images", device.images)]
    words = [name for name, there in has if there] + [svm] + (["sub-groups"] if device.sub_groups else [])
    return [word for word in words if word]


def _language(device: DeviceInfo) -> str:
    words = device.opencl_c_version.removeprefix("OpenCL C ").split(" ")
    return words[0]


def _lacking(device: DeviceInfo) -> str:
    has = " ".join(capabilities(device))
    missing = [name for name in _CAPABILITIES if name not in has]
    return f'<span class="sr">no {escape(", ".join(missing))}</span>' if missing else ""


def _memory(nbytes: int) -> str:
    return capacity(nbytes) if nbytes else ""


def _row(device: DeviceInfo, chosen: str) -> str:
    kind = '<span class="sim">simulator</span>' if device.simulator else dim(escape(", ".join(device.type)))
    mark = ' <span class="is-ok">chosen</span>' if device.id == chosen else ""
    where = f"{device.name} · {device.platform_version.split(',')[0]}"
    slow = "finds races and bad indices; slow, never chosen by itself" if device.simulator else ""
    trouble = "" if device.available else "not available"
    trouble = trouble or ("" if device.compiler_available else "no compiler")
    facts = [f'{escape(where)} · <code class="nw">--device={escape(device.id)}</code>', escape(slow)]
    facts += [f'<span class="is-warn">{trouble}</span>'] if trouble else []
    below = "".join(f'<br><span class="dim sm">{fact}</span>' for fact in facts if fact)
    cells = [
        count(device.compute_units),
        count(device.clock_mhz) if device.clock_mhz else "",
        _memory(device.global_mem_bytes),
        _memory(device.local_mem_bytes),
        count(device.max_work_group_size),
        escape(_language(device)),
    ]
    numbers = "".join(f'<td class="num">{cell or _NOT_REPORTED}</td>' for cell in cells)
    badges = "".join(f'<span class="badge">{escape(word)}</span>' for word in capabilities(device))
    return (
        f'<tr><th scope="row">{bold(escape(device.short_name))} {kind}{mark}{below}</th>{numbers}'
        f"<td>{badges}{_lacking(device)}</td></tr>"
    )


def _trouble(report: DriverReport) -> str:
    remedy = f"<br>{dim('remedy')} {escape(report.remedy)}" if report.remedy else ""
    return (
        f'<div class="un">{icon("warn")}<div><b>{escape(report.driver)}</b> {dim("no device")}<br>'
        f"{dim('reason')} {escape(report.trouble)}{remedy}</div></div>"
    )


def _title(view: DevicesView) -> list[str]:
    platforms = {device.platform_name for device in view.devices}
    troubled = sum(1 for report in view.reports if report.trouble)
    parts = [f"{counted(len(view.devices), 'device')} on {counted(len(platforms), 'platform')}"]
    parts += [f"{counted(troubled, 'driver')} in trouble"] if troubled else []
    chosen = [device.short_name for device in view.devices if device.id == view.chosen]
    return parts + [f"chosen: {name}" for name in chosen]


def devices_html(view: DevicesView) -> str:
    """HTML table of devices.

    Examples
    --------
    >>> "no device" in devices_html(DevicesView((DriverReport("a.icd", trouble="aborted at load"),)))
    True
    """
    # A picker tells the choice as it is; what is folded above it would tell the one that was.
    title = [part for part in _title(view) if not (view.folded and part.startswith("chosen"))]
    heads = "".join(
        f'<th scope="col"{" class=num" if name.startswith("#") else ""}>{name.removeprefix("#")}</th>'
        for name in ("device", *(h if h.startswith("#") else "#" + h for h in _HEADS), "capabilities")
    )
    rows = "".join(_row(device, view.chosen) for device in view.devices)
    table = (
        '<div class="scroll" role="region" tabindex="0" aria-label="devices"><table class="dev">'
        f"<thead><tr>{heads}</tr></thead><tbody>{rows}</tbody></table></div>"
    )
    parts = [bold(escape(title[0])), *map(escape, title[1:])]
    body = table if view.devices else ""
    body += "".join(_trouble(report) for report in view.reports if report.trouble)
    if not view.devices and not any(report.trouble for report in view.reports):
        body += small("No OpenCL driver was found: <code>pip install 'cl_magic[pocl]'</code> brings one for the CPU.")
    if view.folded:
        body = f'<details class="line"><summary class="head">{facts(parts)}</summary>{body}</details>'
    else:
        body = head(parts) + body
    return wrap(body, label="OpenCL devices: " + plain(", ".join(title)))


def devices_text(view: DevicesView) -> str:
    """Text table of devices.

    Examples
    --------
    >>> print(devices_text(DevicesView(())))
    0 devices on 0 platforms
    """
    lines = [sentence(" · ".join(_title(view)), "", "  ")]
    rows = [
        (
            ("* " if device.id == view.chosen else "  ") + device.id,
            device.short_name,
            count(device.compute_units),
            _memory(device.global_mem_bytes),
            count(device.max_work_group_size),
            ", ".join(capabilities(device)),
        )
        for device in view.devices
    ]
    if rows:
        lines += columns([("  id", "device", "units", "memory", "max group", "capabilities"), *rows], (2, 3, 4))
    for report in view.reports:
        if report.trouble:
            lines.append(sentence(report.trouble, f"  {plain(report.driver)}: ", "    "))
            lines += [sentence(report.remedy, "    → ")] if report.remedy else []
    return "\n".join(lines)


def all_of(devices: Sequence[DeviceInfo]) -> DevicesView:
    """View of devices without their drivers' reports."""
    return DevicesView((DriverReport("", tuple(devices)),))
