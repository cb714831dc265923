"""A sweep: a kernel run with every setting, timed, its result compared; the best setting applicable to the kernel."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from cl_magic.build.parameter_annotations import macro_text, macro_value, with_macros
from cl_magic.errors import ArgumentError, BuildError, ClMagicError, NDRangeError
from cl_magic.kernel import Kernel
from cl_magic.launch.arguments import ArgumentBinder
from cl_magic.launch.words import split_words
from cl_magic.record.run import RunRecord
from cl_magic.record.sweep import SweepResult, SweepRow
from cl_magic.session import session
from cl_magic.tuning.arrays import SweptArrays
from cl_magic.tuning.progress import told
from cl_magic.tuning.settings import SIZES, Sorted, sort_words

REPEAT, WARMUP = 5, 1


@dataclass(frozen=True)
class Sweep(SweepResult):
    """What a sweep found, and the kernel it was of; see :class:`cl_magic.record.sweep.SweepResult`."""

    of: Kernel | None = None

    def apply(self) -> Kernel:
        """Make the best setting the kernel's own, and return the kernel.

        Sizes are set on the kernel itself, for calls that give none: the compiled kernel stays the same (K-19). Where
        macros were varied, the kernel returned is the one that was built with the best values.

        Raises
        ------
        ArgumentError
            No setting ran with the right result.

        Examples
        --------
        >>> import numpy as np
        >>> import cl_magic as clm
        >>> kernel = clm.build("kernel void f(global int *x) { x[get_global_id(0)] += 1; }").f
        >>> found = sweep(kernel, np.zeros(256, np.int32), global_size=256, local_size=[8, 64], repeat=1)
        >>> found.apply() is kernel, kernel.local_size == found.best.setting["local_size"]
        (True, True)
        """
        best, kernel = self.best, self.of
        if best is None or kernel is None:
            message = f"no setting of {self.kernel} ran with the right result: there is none to apply"
            raise ArgumentError(message, remedy="see the reasons in the rows", kernel=self.kernel)
        macros = {name: value for name, value in best.setting.items() if name not in SIZES}
        target = with_values(kernel, macros)
        sizes = {name: best.setting[name] for name in SIZES if name in best.setting}
        if sizes:
            target.set_sizes(replace(kernel.sizes if target is kernel else target.sizes, **sizes))
        return target


def sweep(kernel: Kernel, /, *args: Any, **words: Any) -> Sweep:  # noqa: ANN401 - those of a call
    """Run a kernel with every setting of sizes and macros, and compare.

    The arrays are the same before each setting and as they were after the sweep. What cannot be built or launched is a
    row with the reason. An interrupt ends the sweep and keeps what was found.

    Parameters
    ----------
    kernel : Kernel
    *args, **words
        As the kernel would be called. A list or a range as text is varied: ``local_size=[64, (16, 16), None]``,
        ``TILE="4:64:x2"``; sizes and macros of the source can be. ``repeat`` (5) and ``warmup`` (1) count the runs
        of each setting; ``rtol`` (1e-5) is by how much floats may differ, relatively.

    Returns
    -------
    Sweep
        ``rows``, ``best``, ``plot()``, and ``apply()``, which makes the best setting the kernel's own.

    Raises
    ------
    ArgumentError
        Nothing to vary, or arguments that do not fit the kernel whatever the setting.

    Examples
    --------
    >>> import numpy as np
    >>> import cl_magic as clm
    >>> kernel = clm.build("kernel void f(global float *x) { x[get_global_id(0)] *= STEP; }", options="-DSTEP=2").f
    >>> found = sweep(kernel, np.ones(64, np.float32), global_size=64, local_size=[8, 100_000], repeat=2)
    >>> [row.outcome for row in found.rows]
    ['ran', 'refused']
    """
    rtol = float(words.pop("rtol", 1e-5))
    runs = {"repeat": words.pop("repeat", REPEAT), "warmup": words.pop("warmup", WARMUP)}
    sorted_ = sort_words(kernel, words)
    return _Sweeping(kernel, args, sorted_, runs, rtol).result()


def with_values(kernel: Kernel, macros: Mapping[str, Any]) -> Kernel:
    """The kernel of a program with these values of macros; itself where they are the ones it has."""
    spec = kernel.program.result.spec
    texts = {name: macro_text(value, macro_value(spec, name)) for name, value in macros.items()}
    changed = {name: text for name, text in texts.items() if text != macro_value(spec, name)}
    if not changed:
        return kernel
    program = session().build_spec(with_macros(spec, changed), kernel.program.device, kernel.program.engine.name)
    made = program[kernel.name]
    return made.with_sizes(kernel.sizes.global_size, kernel.sizes.local_size, kernel.sizes.global_offset)


class _Sweeping:
    """One sweep on its way."""

    def __init__(
        self, kernel: Kernel, args: Sequence[Any], sorted_: Sorted, runs: Mapping[str, int], rtol: float
    ) -> None:
        self.kernel, self.sorted, self.runs = kernel, sorted_, runs
        _, values = split_words(kernel.signature, sorted_.words)
        self.values = ArgumentBinder(kernel.signature, kernel.program.result.layouts).arranged(args, values)
        self.words = {name: value for name, value in sorted_.words.items() if name not in values}
        self.arrays = SweptArrays(zip(kernel.signature.parameters, self.values, strict=True), rtol)
        self.rows: list[SweepRow] = []
        self.baseline_ns = 0
        self.interrupted = False

    def result(self) -> Sweep:
        """Run all settings."""
        settings = self.sorted.settings
        with told(self.kernel.name, len(settings)) as done:
            try:
                self._baseline()
                for count, setting in enumerate(settings, 1):
                    self.rows.append(self._row(setting))
                    done(count)
            except KeyboardInterrupt:
                self.interrupted = True
            finally:
                self.arrays.restore()
        return Sweep(
            self.kernel.name, self.kernel.program.device.short_name, tuple(self.sorted.varied), tuple(self.rows),
            len(settings), self.runs["repeat"], self.runs["warmup"], self.baseline_ns, self.arrays.names,
            self.interrupted, self.sorted.varied, of=self.kernel,
        )  # fmt: skip

    def _baseline(self) -> None:
        """The kernel as it is gives the right result, where it runs; a wrong argument ends the sweep here."""
        if "global_size" in self.sorted.varied and self.kernel.sizes.global_size is None:
            return
        try:
            self.baseline_ns = self._run(self.kernel, {}).duration_ns
        except ArgumentError:
            if not self.sorted.macros:
                raise
        except ClMagicError:
            return
        else:
            self.arrays.expect()

    def _run(self, kernel: Kernel, sizes: Mapping[str, Any]) -> RunRecord:
        self.arrays.restore()
        words = {"capture": "none", **self.words, **sizes, **self.runs}
        record = kernel(*self.values, **words)
        assert isinstance(record, RunRecord)  # noqa: S101 - it was waited for
        return record

    def _row(self, setting: dict[str, Any]) -> SweepRow:
        sizes = {name: value for name, value in setting.items() if name in SIZES}
        macros = {name: value for name, value in setting.items() if name not in SIZES}
        try:
            kernel = with_values(self.kernel, macros)
        except ClMagicError as error:
            return SweepRow(setting, "not built", why=_first_fault(error))
        try:
            record = self._run(kernel, sizes)
        except (NDRangeError, ArgumentError) as error:
            return SweepRow(setting, "refused", why=error.message.removeprefix(f"{kernel.name}: "))
        except ClMagicError as error:
            return SweepRow(setting, "failed", why=error.message)
        return self._compared(setting, record)

    def _compared(self, setting: dict[str, Any], record: RunRecord) -> SweepRow:
        self.arrays.expect()
        why = self.arrays.difference()
        outcome = "differs" if why else "ran"
        return SweepRow(setting, outcome, record.durations_ns, why, record.plan.local_size, record.program)  # type: ignore[arg-type]  # one of two words


def _first_fault(error: ClMagicError) -> str:
    """First error of a build, with its place; else what went wrong."""
    result = error.facts.get("result") if isinstance(error, BuildError) else None
    first = next((d for d in result.diagnostics if d.severity == "error"), None) if result is not None else None
    return error.message if first is None else f"{first.line}:{first.column}: {first.message}"
