"""Every build option on every device: what it does there, measured; the table is written to test-output/options.md."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pytest

from cl_magic.device import devices
from cl_magic.errors import BuildError, OptionError
from cl_magic.launch.limits import DeviceInfo
from cl_magic.session import Session

OUTPUT = Path(__file__).resolve().parents[2] / "test-output" / "options.md"
SOURCE = """
kernel void probe(global float *x, global int *y, float one, float tiny, float zero, float nan)
{
    x[0] = tiny * one;
    x[1] = zero + -0.0f;
    y[0] = sizeof(1.0);
    y[1] = nan != nan;
#ifdef __FAST_RELAXED_MATH__
    y[2] = 1;
#endif
#ifdef __OPENCL_C_VERSION__
    y[3] = __OPENCL_C_VERSION__;
#endif
#ifdef VALUE
    y[4] = VALUE;
#endif
}
"""
TINY = np.float32(1e-39)


@dataclass(frozen=True)
class Seen:
    """What one option did on one device."""

    outcome: str
    effect: str = ""
    values: tuple[float, ...] = ()

    @property
    def text(self) -> str:
        return f"{self.outcome}; {self.effect}" if self.effect else self.outcome


_SEEN: dict[tuple[str, str], Seen] = {}


@pytest.fixture(scope="module", autouse=True)
def _table() -> Iterator[None]:
    yield
    names = {device.id: device.short_name for device in devices()}
    rows = dict.fromkeys(option for option, _ in _SEEN)
    lines = [
        "# Build options by device",
        "",
        "Measured by tests/device/test_options_table.py.",
        "",
        f"| option | {' | '.join(names.values())} |",
        "| --- |" + " --- |" * len(names),
    ]
    for row in rows:
        cells = [_SEEN[row, one].text if (row, one) in _SEEN else "" for one in names]
        lines.append(f"| `{row}` | {' | '.join(cell.replace('|', '/') for cell in cells)} |")
    OUTPUT.parent.mkdir(exist_ok=True)
    OUTPUT.write_text("\n".join(lines) + "\n", encoding="utf-8")


def measure(device: DeviceInfo, options: str | list[str], source: str = SOURCE) -> Seen:
    """Build the probe with options, run it, and note what happened in the table."""
    seen = _measured(device, options, source)
    text = options if isinstance(options, str) else " ".join(options)
    _SEEN[text.replace("\n", "\\n"), device.id] = seen
    return seen


def _measured(device: DeviceInfo, options: str | list[str], source: str) -> Seen:
    try:
        program = Session(device).build(source, options=options)
    except OptionError as error:
        return Seen("refused by cl_magic", error.message)
    except BuildError as error:
        first = next((d.message for d in error.result.diagnostics if d.severity == "error"), error.result.status)
        return Seen("the build fails", first)
    x, y = np.full(2, 7, np.float32), np.zeros(5, np.int32)
    program["probe"](x, y, 1.0, TINY, -0.0, float("nan"), global_size=1)
    warnings = program.result.count("warning")
    values = (float(x[0]), float(np.signbit(x[1])), *map(float, y))
    effect = [note for note in program.result.notes if "no effect" in note or "changes nothing" in note]
    effect += [f"{warnings} warnings"] if warnings else []
    return Seen("builds", ", ".join(effect), values)


FLUSH, SIGN, LITERAL, NAN_DIFFERS, RELAXED, VERSION, VALUE = range(7)
PLAIN = (
    "-cl-opt-disable",
    "-cl-mad-enable",
    "-cl-unsafe-math-optimizations",
    "-cl-strict-aliasing",
    "-cl-kernel-arg-info",
    "-cl-std=CL2.0 -cl-uniform-work-group-size",
    "-g",
    "-w",
    "-Wall",
    "-Wextra -Wno-unused-variable",
    "-Rpass=inline",
    "-I /tmp",
    "--include-directory=/tmp",
    "-U NOTHING",
    "-Xs -w",
)


@pytest.mark.parametrize("options", PLAIN)
def test_r_68_s_36_to_s_38_builds_everywhere(device: DeviceInfo, options: str) -> None:
    if options.startswith("-cl-std") and not Session(device).can_build("CL2.0"):
        return
    seen = measure(device, options)
    assert seen.outcome == "builds", seen.text


@pytest.mark.parametrize(
    ("options", "value"),
    [
        (["-DVALUE"], 1),
        (["-DA=1", "-DVALUE=A+1"], 2),
        (["-DVALUE=1", "-DVALUE=2"], 2),
        (["-DVALUE=1\n+5"], 1),
        (["-DF(a)=a*2", "-DVALUE=F(3)"], 6),
        (["-DT={4, 5, 6}", "-DVALUE=((int[])T)[1]"], 5),
        (["--define-macro=VALUE=8"], 8),
        (["-DVALUE=4", "-U", "VALUE"], 0),
    ],
)
def test_r_63_definitions_mean_the_same_everywhere(device: DeviceInfo, options: list[str], value: int) -> None:
    seen = measure(device, options)
    assert seen.outcome == "builds", seen.text
    assert seen.values[VALUE] == value


@pytest.mark.parametrize("version", ["1.0", "1.1", "1.2", "2.0", "3.0"])
def test_r_62_a_language_version_is_used_or_refused_with_the_list(device: DeviceInfo, version: str) -> None:
    seen = measure(device, f"-cl-std=CL{version}")
    if not Session(device).can_build(f"CL{version}"):
        assert seen.outcome == "refused by cl_magic"
        return
    assert seen.outcome == "builds", seen.text
    if version in {"1.1", "1.2"}:
        assert seen.values[VERSION] == int(version.replace(".", "") + "0")


@pytest.mark.parametrize("version", ["CL9.9", "CLC++2021"])
def test_r_62_s_08_a_language_that_the_device_lacks_never_reaches_its_compiler(
    device: DeviceInfo, version: str
) -> None:
    if Session(device).can_build(version):
        assert measure(device, f"-cl-std={version}").outcome == "builds"
        return
    assert measure(device, f"-cl-std={version}").outcome == "refused by cl_magic"


def test_r_65_single_precision_constants(device: DeviceInfo) -> None:
    seen = measure(device, "-cl-single-precision-constant")
    assert seen.values[LITERAL] == (8 if device.simulator else 4)
    assert device.simulator is ("no effect" in seen.effect)


def test_r_66_denormals(device: DeviceInfo) -> None:
    assert measure(device, "").values[FLUSH] == TINY or "denorm" not in device.single_fp_config
    seen = measure(device, "-cl-denorms-are-zero")
    if device.family in {"pocl", "intel", "nvidia"} and "denorm" in device.single_fp_config:
        assert seen.values[FLUSH] == 0
    else:
        assert seen.effect


def test_r_67_exact_division_needs_the_devices_bit(device: DeviceInfo) -> None:
    seen = measure(device, "-cl-fp32-correctly-rounded-divide-sqrt")
    able = "correctly_rounded_divide_sqrt" in device.single_fp_config
    assert seen.outcome == ("builds" if able else "refused by cl_magic")


def test_r_68_no_signed_zeros(device: DeviceInfo) -> None:
    seen = measure(device, "-cl-no-signed-zeros")
    assert seen.outcome == "builds"
    assert seen.values[SIGN] in {0.0, 1.0}


@pytest.mark.parametrize("option", ["-cl-finite-math-only", "-cl-fast-relaxed-math"])
def test_r_69_relaxed_math_and_its_macro(device: DeviceInfo, option: str) -> None:
    assert measure(device, "").values[RELAXED] == 0
    seen = measure(device, option)
    assert seen.outcome == "builds"
    if option == "-cl-fast-relaxed-math":
        assert seen.values[RELAXED] == (0 if device.simulator else 1)
        if device.family in {"pocl", "intel"}:
            assert seen.values[NAN_DIFFERS] == 0
    assert device.simulator is ("no effect" in seen.effect)


def test_r_70_warnings_as_errors_hold_everywhere(device: DeviceInfo) -> None:
    source = "#warning look\n" + SOURCE
    assert "warning" in measure(device, "-DWITH_WARNING", source).effect
    assert measure(device, "-DWITH_WARNING -w", source).effect == ""
    assert measure(device, "-DWITH_WARNING -Werror", source).outcome == "the build fails"
    assert measure(device, "-Werror").outcome == "builds"


@pytest.mark.parametrize(
    "options",
    ["-c", "-S", "-E", "-o out", "-L /tmp", "-lm", "-x spir", "-fsanitize=address", "-march=native", "-fsycl",
     "-create-library", "-cl-no-signed-zeroes", "-cl-std=CL1.1 -cl-std=CL1.2",
     "-cl-opt-disable -cl-mad-enable", "-cl-fp32-correctly-rounded-divide-sqrt -cl-fast-relaxed-math"],
)  # fmt: skip
def test_r_60_s_39_to_s_41_refused_before_the_compiler(device: DeviceInfo, options: str) -> None:
    assert measure(device, options).outcome == "refused by cl_magic"


def test_s_42_every_option_that_cannot_be_taken_is_named(device: DeviceInfo) -> None:
    with pytest.raises(OptionError) as caught:
        Session(device).build(SOURCE, options="-S -fsanitize=address -DN=1 -L/tmp")
    assert caught.value.options == ("-S", "-fsanitize=address", "-L/tmp")


@pytest.mark.parametrize(
    ("options", "families"),
    [
        ("-cl-nv-verbose", ("nvidia",)),
        ("-cl-nv-maxrregcount=32", ("nvidia",)),
        ("-cl-nv-opt-level=1", ("nvidia",)),
        ("-cl-intel-greater-than-4GB-buffer-required", ("intel",)),
    ],
)
def test_vendor_options_pass_through(device: DeviceInfo, options: str, families: tuple[str, ...]) -> None:
    seen = measure(device, options)
    assert seen.outcome != "refused by cl_magic"
    if device.family in families and options.startswith("-cl-nv"):
        assert seen.outcome == "builds"


def test_the_registers_that_nvidia_reports_are_in_the_kernel_table(device: DeviceInfo) -> None:
    result = Session(device).build(SOURCE, options="-cl-nv-verbose" if device.family == "nvidia" else "").result
    notes = " ".join(result.kernel("probe").notes)
    assert ("registers" in notes) is (device.family == "nvidia")
