"""A kernel one can call with NumPy arrays: binds the arguments, plans the NDRange, launches, returns the record."""

from __future__ import annotations

import dataclasses
import functools
import inspect
from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType
from typing import Any

from cl_magic.build.result import KernelInfo
from cl_magic.built import Built, kernel_there
from cl_magic.call import EnqueuedCalls, KernelCall, PendingRun, PreparedCall, is_memory, put_back
from cl_magic.clc.signature import KernelSignature
from cl_magic.device_array import check_arrays
from cl_magic.engine.commands import Launch
from cl_magic.engine.image_support import image_support
from cl_magic.launch.arguments import ArgumentBinder, BoundArguments
from cl_magic.launch.bound_shapes import shaped, written_shapes
from cl_magic.launch.directions import Said, directed_signature, undirected, with_reasons
from cl_magic.launch.explanation import Explanation, explain
from cl_magic.launch.extent import check_extent
from cl_magic.launch.image_support import check_images
from cl_magic.launch.memory_limits import check_memory
from cl_magic.launch.ndrange import NDRange
from cl_magic.launch.plan import LaunchPlan
from cl_magic.launch.planner import plan
from cl_magic.launch.program_scope import RESET_NOTE, check_one_program
from cl_magic.launch.request import LaunchRequest
from cl_magic.launch.set_sizes import Sizes
from cl_magic.launch.sizes import missing_global_size, normalise_sizes, numpy_order_note, parse_subscript
from cl_magic.launch.whole_range import ProgramFacts
from cl_magic.launch.words import LaunchWords, documentation, python_name, split_words
from cl_magic.record.run import ArgumentFact, RunRecord
from cl_magic.show import Panelled

_NOTHING_CHANGED: Mapping[int, str] = MappingProxyType({})


class Kernel(Panelled):
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
        self.__doc__ = documentation(info.signature)
        self._binder = ArgumentBinder(info.signature, program.result.layouts)
        result = program.result
        self._facts = ProgramFacts(result.language_version, result.spec.options, result.spec.source)
        self._plans: dict[tuple[NDRange, str], tuple[LaunchPlan, str]] = {}
        self._elsewhere: dict[int, Kernel] = {}
        parameters = info.signature.parameters
        self._enqueued = EnqueuedCalls([p.index for p in parameters if is_memory(p)], len(parameters))
        self._binders: dict[Said, ArgumentBinder] = {}

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
        return Kernel(self.info, self.program, Sizes(*parse_subscript(sizes, kernel=self.name)))

    def with_sizes(self, global_size: Any = None, local_size: Any = None, global_offset: Any = None) -> Kernel:  # noqa: ANN401
        """Return the same kernel with sizes for calls that give none."""
        return Kernel(self.info, self.program, Sizes(global_size, local_size, global_offset))

    def set_sizes(self, sizes: Sizes) -> None:
        """Set the sizes of calls that give none, in place, as a picker does."""
        self.sizes = sizes
        self._elsewhere.clear()
        self._enqueued.forget()

    @property
    def local_size(self) -> Any:  # noqa: ANN401 - as it was set
        """Local size that is set or compiled in; None where each call says it (K-01)."""
        return self.sizes.local_size

    @property
    def global_size(self) -> Any:  # noqa: ANN401 - as it was set
        """Global size that is set or compiled in; None where each call says it."""
        return self.sizes.global_size

    def specialize(self, *, local_size: Any = None, global_size: Any = None) -> Kernel:  # noqa: ANN401
        """Return this kernel of a program built once for these sizes; a call with others is an error.

        The local size becomes ``reqd_work_group_size``. Sources may use ``CL_MAGIC_LOCAL_SIZE_X`` (``_Y``, ``_Z``) and
        ``CL_MAGIC_GLOBAL_SIZE_X``, which are defined in such a program only.

        Parameters
        ----------
        local_size, global_size : int or tuple of int, optional
            Work-items, x first. A size that is not given stays free. The same sizes twice build once.

        Raises
        ------
        NDRangeError
            No size, or another ``reqd_work_group_size`` in the source.
        SourceError
            A macro or header makes the kernel's definition.
        BuildError

        Examples
        --------
        >>> import cl_magic as clm
        >>> program = clm.build("kernel void f(global int *x) { x[get_global_id(0)] = get_local_size(0); }")
        >>> fixed = program.f.specialize(local_size=16)
        >>> fixed.local_size, fixed.signature.reqd_work_group_size
        (16, (16, 1, 1))
        """
        program, sizes = self.program.specialized(self.name, Sizes(global_size, local_size, fixed=True))
        return Kernel(kernel_there(self.name, self.program, program), program, sizes)

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
        again = self._enqueued.find(args, kwargs, self.program.timeout) if self.program.newer_spec is None else None
        if again is not None:
            return again(args)
        words, values = split_words(self.signature, kwargs)
        call = self._call(args, values, words)
        if words.wait:
            return self._enqueued.wait(args, kwargs, call)
        if call.on_host:
            return PendingRun(call.submit(), call.finish)
        return self._enqueued.launch(args, kwargs, call)

    def _call(self, args: Sequence[Any], values: dict[str, Any], words: LaunchWords) -> KernelCall:
        """Check and plan a call where it wants to run."""
        plain, named, said = undirected(self.signature, args, values)
        return self._there(words, (*plain, *named.values())).call_of(plain, named, words, said)

    def prepare(self, *args: Any, **kwargs: Any) -> PreparedCall:  # noqa: ANN401 - checked by bind
        """Check and set everything once; the callable returned launches again without checks.

        Arguments keep their values (OpenCL 1.2, 5.7.2); ``again(a=3.0)`` changes one scalar. Nothing is captured.

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
        return PreparedCall(self._call(args, values, dataclasses.replace(words, wait=False)))

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

    def explain(self, *args: Any, **kwargs: Any) -> Explanation:  # noqa: ANN401 - checked by bind
        """Return how each argument would be bound, without launching: what it becomes, which way it goes and why.

        Examples
        --------
        >>> import cl_magic as clm
        >>> program = clm.build("kernel void scale(global float *x, float a) { x[get_global_id(0)] *= a; }")
        >>> [row.becomes for row in program.scale.explain([1.0], 2).rows]
        ['', '2.0f, 4 B']
        """
        _, values = split_words(self.signature, kwargs)
        plain, named, said = undirected(self.signature, args, values)
        return explain(self._binder_for(said), plain, named)

    def _there(self, words: LaunchWords, values: Sequence[Any]) -> Kernel:
        """Return this kernel where the call wants it: on another device or engine, or here."""
        target = self.program.on(words.device, words.engine, values)
        if target is self.program:
            return self
        known = self._elsewhere.get(id(target)) or Kernel(
            kernel_there(self.name, self.program, target), target, self.sizes
        )
        return self._elsewhere.setdefault(id(target), known)

    def call_of(self, args: Sequence[Any], values: dict[str, Any], words: LaunchWords, said: Said = ()) -> KernelCall:
        """Check and plan a call, launching nothing; `values` are the kernel's keyword arguments.

        `said` are directions that the user gave.

        Raises
        ------
        ArgumentError, NDRangeError
        """
        bound = self._directed(args, values, said) if said else self._binder.bind(args, values)
        plan_, digest = self._planned(words, bound)
        device = self.program.device
        check_arrays(bound, device, self.program.engine)
        check_memory(bound, device, self.info.work_group)
        check_images(bound, device, lambda: image_support(self.program.engine, device))
        check_extent(bound, plan_, self._facts)
        capture = words.capture or ("auto" if words.wait and words.repeat == 1 and not words.warmup else "none")
        request = LaunchRequest(
            program=digest,
            kernel=self.name,
            plan=plan_,
            scalars=bound.scalars,
            locals=bound.locals,
            nulls=bound.nulls,
            arrays=bound.arrays,
            images=bound.images,
            samplers=bound.samplers,
            repeat=words.repeat,
            warmup=words.warmup,
            restore=words.restore,
            capture=capture,  # type: ignore[arg-type]  # checked by split_words
            timeout=self.program.timeout if words.timeout is None else words.timeout,
        )
        launch = Launch(request, device.local_id)
        return KernelCall(launch, bound, self.program.engine, self._finisher(bound, words), self._binder)

    def _binder_for(self, said: Said) -> ArgumentBinder:
        """Binder for calls with these directions."""
        if not said:
            return self._binder
        binder = self._binders.get(said)
        if binder is None:
            signature = directed_signature(self.signature, said)
            binder = self._binders[said] = ArgumentBinder(signature, self.program.result.layouts)
        return binder

    def _directed(self, args: Sequence[Any], values: dict[str, Any], said: Said) -> BoundArguments:
        """Bind with the directions that the user gave."""
        binder = self._binder_for(said)
        kept = [i for i, way in said if way == "in" and self.signature.parameters[i].writes is not False]
        bound = with_reasons(binder.bind(args, values), said, in_place=kept)
        return dataclasses.replace(bound, signature=self.signature)

    @functools.cached_property
    def cl_kernel(self) -> Any:  # noqa: ANN401 - PyOpenCL's kernel
        """A PyOpenCL kernel object of its own (inline engine); EngineError where the program is in a worker."""
        made = self.program.engine.live_program(self.program.result.spec.digest, self.program.device.local_id)
        return next(k for k in made.all_kernels() if k.function_name.rstrip("\0") in (self.name, f"_cl_{self.name}"))

    def _planned(self, words: LaunchWords, bound: BoundArguments | None) -> tuple[LaunchPlan, str]:
        ndrange = self._ndrange(words, bound)
        key = (ndrange, words.remainder)
        known = self._plans.get(key)
        if known is None:
            known = self._plans[key] = self._make_plan(ndrange, words)
        return known

    def _ndrange(self, words: LaunchWords, bound: BoundArguments | None) -> NDRange:
        sizes = self.sizes
        sizes.check(words.global_size, words.local_size, self.name)
        global_size = words.global_size if words.global_size is not None else sizes.global_size
        if global_size is None:
            raise missing_global_size(self.name, shaped(bound))
        local_size = words.local_size if words.local_size is not None else sizes.local_size
        offset = words.global_offset if words.global_offset is not None else sizes.global_offset
        return normalise_sizes(global_size, local_size, offset, kernel=self.name)

    def _make_plan(self, ndrange: NDRange, words: LaunchWords) -> tuple[LaunchPlan, str]:
        result, device, limits = self.program.result, self.program.device, self.info.work_group
        made = plan(ndrange, device, limits, self.signature, remainder=words.remainder, program=self._facts)
        if not made.prelude:
            return made, result.spec.digest
        check_one_program(result, self.name)
        digest, rebuild_ns = self.program.variant(made.prelude)
        return dataclasses.replace(made, rebuild_ns=rebuild_ns), digest

    def _finisher(self, bound: BoundArguments, words: LaunchWords) -> Callable[..., RunRecord]:
        device, keep = self.program.device, self.program.keep
        order = numpy_order_note(words.global_size, self._ndrange(words, bound), written_shapes(bound))
        notes = (*bound.notes, *filter(None, (order, self.sizes.note)))
        variables = self.program.result.variables
        facts_, staged = bound.facts, bound.staged  # the arrays themselves are not held

        def finish(record: RunRecord, told: Mapping[int, str] = _NOTHING_CHANGED) -> RunRecord:
            record = put_back(record, staged) if staged else record
            facts = tuple(ArgumentFact(i, text, told.get(i, value), way) for i, text, value, way in facts_)
            said = (*record.notes, *notes)
            if variables and any("built again in it" in note for note in record.notes):
                said = (*said, RESET_NOTE)
            return keep(dataclasses.replace(record, device=device, arguments=facts, notes=said))

        return finish
