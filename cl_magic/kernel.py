"""A kernel one can call with NumPy arrays: binds the arguments, plans the NDRange, launches, returns the record."""

from __future__ import annotations

import dataclasses
import inspect
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np

from cl_magic.build.result import BuildResult, KernelInfo
from cl_magic.clc.signature import KernelSignature
from cl_magic.engine.commands import Launch
from cl_magic.engine.protocol import Engine, Prepared, Ticket
from cl_magic.launch.arguments import ArgumentBinder, Binder, BoundArguments, binder_for
from cl_magic.launch.limits import DeviceInfo
from cl_magic.launch.memory_limits import check_memory
from cl_magic.launch.ndrange import NDRange
from cl_magic.launch.plan import LaunchPlan
from cl_magic.launch.planner import plan
from cl_magic.launch.request import LaunchRequest, ScalarArgument
from cl_magic.launch.sizes import missing_global_size, normalise_sizes, numpy_order_note, parse_subscript
from cl_magic.launch.whole_range import ProgramFacts
from cl_magic.launch.words import LaunchWords, python_name, split_words
from cl_magic.record.run import ArgumentFact, RunRecord


class Built(Protocol):
    """What a kernel needs of the program it belongs to."""

    result: BuildResult
    device: DeviceInfo
    engine: Engine

    def on(self, device: Any, engine: str | None, values: Sequence[Any]) -> Built:  # noqa: ANN401 - any selector
        """The same program built for another device or engine; itself where nothing changes."""

    def variant(self, prelude: str) -> tuple[str, int]:
        """Digest of the program with `prelude` in front, built once, and the time that took in ns."""

    def keep(self, record: RunRecord) -> RunRecord:
        """Remember a record in the session and return it."""


@dataclass(slots=True)
class PendingRun:
    """A launch on its way (``wait=False``)."""

    ticket: Ticket
    finish: Callable[[RunRecord], RunRecord]
    _record: RunRecord | None = None

    @property
    def done(self) -> bool:
        """Whether :meth:`wait` would return at once."""
        return self._record is not None or self.ticket.done

    def wait(self, timeout: float | None = None) -> RunRecord:
        """Wait for the end and return the record; TimeoutError after `timeout` seconds."""
        if self._record is None:
            self._record = self.finish(self.ticket.result(timeout))
        return self._record


@dataclass(frozen=True, slots=True)
class Sizes:
    """Sizes set for a kernel beforehand: by ``kernel[global, local]``, the magic line or a picker."""

    global_size: Any = None
    local_size: Any = None
    global_offset: Any = None


class Kernel:
    """A kernel of a built program.

    Calling it launches it once and waits. NumPy arrays go both ways; which way each went is in the record.

    Parameters
    ----------
    info : KernelInfo
    program : Built
    sizes : Sizes, optional
        Sizes for calls that give none.

    Examples
    --------
    >>> import numpy as np
    >>> import cl_magic as clm
    >>> program = clm.build("kernel void twice(global float *x) { x[get_global_id(0)] *= 2; }")
    >>> x = np.arange(4, dtype=np.float32)
    >>> run = program.twice(x, global_size=4)
    >>> x
    array([0., 2., 4., 6.], dtype=float32)
    """

    def __init__(self, info: KernelInfo, program: Built, sizes: Sizes | None = None) -> None:
        self.info = info
        self.program = program
        self.sizes = sizes or Sizes()
        self.__name__ = info.name
        self.__qualname__ = info.name
        self.__doc__ = _doc(info.signature)
        self._binder = ArgumentBinder(info.signature)
        self._plans: dict[tuple[NDRange, str], tuple[LaunchPlan, str]] = {}
        self._enqueued: _Enqueued | None = None

    @property
    def name(self) -> str:
        """Name in the source."""
        return self.info.name

    @property
    def signature(self) -> KernelSignature:
        """Parameters, attributes and what else the front end found."""
        return self.info.signature

    @property
    def __signature__(self) -> inspect.Signature:
        kind = inspect.Parameter.POSITIONAL_OR_KEYWORD
        return inspect.Signature(
            [inspect.Parameter(python_name(p.name), kind, annotation=p.declaration) for p in self.signature.parameters],
        )

    def __repr__(self) -> str:
        words = ", ".join(p.declaration for p in self.signature.parameters)
        return f"<kernel {self.name}({words}) on {self.program.device.short_name}>"

    def __getitem__(self, sizes: Any) -> Kernel:  # noqa: ANN401 - checked by parse_subscript
        """``kernel[global_size, local_size]``: the same kernel with its sizes set, in work-items."""
        global_size, local_size = parse_subscript(sizes, kernel=self.name)
        return Kernel(self.info, self.program, Sizes(global_size, local_size))

    def with_sizes(self, global_size: Any = None, local_size: Any = None, global_offset: Any = None) -> Kernel:  # noqa: ANN401
        """Return the same kernel with sizes for calls that give none."""
        return Kernel(self.info, self.program, Sizes(global_size, local_size, global_offset))

    def __call__(self, *args: Any, **kwargs: Any) -> RunRecord | PendingRun:  # noqa: ANN401 - checked by bind
        """Launch the kernel once.

        Parameters
        ----------
        *args, **kwargs
            The kernel's arguments by position or name, and the words of the launch: ``global_size`` (work-items, x
            first; int, tuple, or an array whose items are meant), ``local_size``, ``global_offset``, ``device``,
            ``engine``, ``remainder``, ``wait``, ``timeout`` (s), ``repeat``, ``warmup``, ``restore``, ``capture``.

        Returns
        -------
        RunRecord or PendingRun
            PendingRun with ``wait=False``.

        Raises
        ------
        ArgumentError, NDRangeError
            Before anything is launched.
        LaunchError, WorkerDiedError
            The launch failed.
        """
        again = self._enqueued
        if again is not None and again.fits(args, kwargs):
            return again(args)
        words, values = split_words(self.signature, kwargs)
        target = self.program.on(words.device, words.engine, (*args, *values.values()))
        if target is not self.program:
            return Kernel(target.result.kernel(self.name), target, self.sizes)(*args, **_without(kwargs))
        bound = self._binder.bind(args, values)
        launch, finish = self._launch(bound, words)
        if not words.wait:
            return self._enqueue(args, kwargs, launch, bound, finish)
        return finish(self.program.engine.submit(launch, bound.values).result())

    def prepare(self, *args: Any, **kwargs: Any) -> Callable[[], PendingRun]:  # noqa: ANN401 - checked by bind
        """Check and set everything once; the callable returned launches again without checks.

        Arguments keep their values (OpenCL 1.2, 5.7.2). Nothing is captured.

        Examples
        --------
        >>> import numpy as np
        >>> import cl_magic as clm
        >>> program = clm.build("kernel void inc(global int *x) { x[get_global_id(0)] += 1; }")
        >>> x = np.zeros(4, dtype=np.int32)
        >>> again = program.inc.prepare(x, global_size=4)
        >>> _ = again().wait(), again().wait()
        >>> x
        array([2, 2, 2, 2], dtype=int32)
        """
        words, values = split_words(self.signature, kwargs)
        target = self.program.on(words.device, words.engine, (*args, *values.values()))
        if target is not self.program:
            return Kernel(target.result.kernel(self.name), target, self.sizes).prepare(*args, **_without(kwargs))
        bound = self._binder.bind(args, values)
        launch, finish = self._launch(bound, dataclasses.replace(words, wait=False))
        prepared = target.engine.prepare(launch, bound.values)
        return lambda: PendingRun(prepared(), finish)

    def plan(self, global_size: Any = None, local_size: Any = None, **words: Any) -> LaunchPlan:  # noqa: ANN401
        """Return what a launch with these sizes would do, without launching.

        Examples
        --------
        >>> import cl_magic as clm
        >>> program = clm.build("kernel void f(global int *x) { x[get_global_id(0)] = 1; }")
        >>> program.f.plan(100, 16).groups
        (7,)
        """
        given = LaunchWords(global_size=global_size, local_size=local_size, **words)
        return self._planned(given, None)[0]

    def _launch(self, bound: BoundArguments, words: LaunchWords) -> tuple[Launch, Callable[[RunRecord], RunRecord]]:
        plan_, digest = self._planned(words, bound)
        device = self.program.device
        check_memory(bound, device, self.info.work_group)
        capture = words.capture or ("auto" if words.wait and words.repeat == 1 and not words.warmup else "none")
        request = LaunchRequest(
            program=digest,
            kernel=self.name,
            plan=plan_,
            scalars=bound.scalars,
            locals=bound.locals,
            nulls=bound.nulls,
            arrays=bound.arrays,
            repeat=words.repeat,
            warmup=words.warmup,
            restore=words.restore,
            capture=capture,  # type: ignore[arg-type]  # checked by split_words
            timeout=words.timeout,
        )
        return Launch(request, device.local_id), self._finisher(bound, words)

    def _planned(self, words: LaunchWords, bound: BoundArguments | None) -> tuple[LaunchPlan, str]:
        ndrange = self._ndrange(words, bound)
        key = (ndrange, words.remainder)
        known = self._plans.get(key)
        if known is None:
            known = self._plans[key] = self._make_plan(ndrange, words)
        return known

    def _ndrange(self, words: LaunchWords, bound: BoundArguments | None) -> NDRange:
        sizes = self.sizes
        global_size = words.global_size if words.global_size is not None else sizes.global_size
        if global_size is None:
            raise missing_global_size(self.name, _arrays(bound))
        local_size = words.local_size if words.local_size is not None else sizes.local_size
        offset = words.global_offset if words.global_offset is not None else sizes.global_offset
        return normalise_sizes(global_size, local_size, offset, kernel=self.name)

    def _make_plan(self, ndrange: NDRange, words: LaunchWords) -> tuple[LaunchPlan, str]:
        result = self.program.result
        facts = ProgramFacts(result.language_version, result.spec.options, result.spec.source)
        device, limits = self.program.device, self.info.work_group
        made = plan(ndrange, device, limits, self.signature, remainder=words.remainder, program=facts)
        if not made.prelude:
            return made, result.spec.digest
        digest, rebuild_ns = self.program.variant(made.prelude)
        return dataclasses.replace(made, rebuild_ns=rebuild_ns), digest

    def _finisher(self, bound: BoundArguments, words: LaunchWords) -> Callable[[RunRecord], RunRecord]:
        device, keep = self.program.device, self.program.keep
        order = numpy_order_note(words.global_size, self._ndrange(words, bound), _written_shapes(bound))
        notes = (*bound.notes, order) if order else bound.notes

        def finish(record: RunRecord) -> RunRecord:
            facts = tuple(ArgumentFact(*fact) for fact in bound.facts)
            return keep(dataclasses.replace(record, device=device, arguments=facts, notes=(*record.notes, *notes)))

        return finish

    def _enqueue(
        self,
        args: tuple[Any, ...],
        kwargs: dict[str, Any],
        launch: Launch,
        bound: BoundArguments,
        finish: Callable[[RunRecord], RunRecord],
    ) -> PendingRun:
        """Launch without waiting; where all memory is on the device already, remember it for a quick repetition."""
        engine = self.program.engine
        on_host = any(isinstance(value, np.ndarray) for value in bound.values)
        if on_host or self.program.engine.name != "inline":
            return PendingRun(engine.submit(launch, bound.values), finish)
        prepared = engine.prepare(launch, bound.values)
        binders = tuple(binder_for(parameter, self.name) for parameter in self.signature.parameters)
        self._enqueued = _Enqueued(args, dict(kwargs), prepared, finish, binders)
        return PendingRun(prepared(), finish)


class _Enqueued:
    """The last launch without waiting: its objects, so that a like one checks only what changed."""

    __slots__ = ("args", "binders", "finish", "kwargs", "prepared")

    def __init__(
        self,
        args: tuple[Any, ...],
        kwargs: dict[str, Any],
        prepared: Prepared,
        finish: Callable[[RunRecord], RunRecord],
        binders: tuple[Binder, ...],
    ) -> None:
        self.args, self.kwargs, self.prepared, self.finish, self.binders = args, kwargs, prepared, finish, binders

    def fits(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> bool:
        """Whether a call differs from the last one in positional arguments only."""
        return len(args) == len(self.args) == len(self.binders) and kwargs == self.kwargs

    def __call__(self, args: tuple[Any, ...]) -> PendingRun:
        changed = []
        for index, value in enumerate(args):
            if value is not self.args[index]:
                bound = self.binders[index](value, 0)
                changed.append((index, bound.data if isinstance(bound, ScalarArgument) else value))
        self.args = args
        return PendingRun(self.prepared(changed), self.finish)


def _arrays(bound: BoundArguments | None) -> dict[str, Any]:
    return {array.name: bound.values[array.slot] for array in bound.arrays} if bound else {}


def _written_shapes(bound: BoundArguments) -> dict[str, tuple[int, ...]]:
    return {array.name: array.shape for array in bound.arrays if array.direction != "in"}


def _without(kwargs: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in kwargs.items() if name not in ("device", "engine")}


def _doc(signature: KernelSignature) -> str:
    lines = [signature.doc, ""] if signature.doc else []
    lines += [f"kernel {signature.name}, called with:", *(f"    {p.declaration}" for p in signature.parameters)]
    return "\n".join(lines)
