"""From a request to an analysis, inside the front end's process: parse, read the tree, collect the diagnostics."""

from __future__ import annotations

import itertools
import time
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from cl_magic.clc.analysis import Analysis, AnalysisRequest, ProgramScopeVariable
from cl_magic.clc.barriers import return_before_barrier
from cl_magic.clc.call_graph import call_graph
from cl_magic.clc.clang_diagnostics import clang_diagnostics, report_name
from cl_magic.clc.diagnostic import Diagnostic
from cl_magic.clc.float_literals import with_float_literals
from cl_magic.clc.guards import kernel_guards
from cl_magic.clc.id_taint import IdTaints
from cl_magic.clc.libclang import BASE_HEADER_PATH, Libclang
from cl_magic.clc.link_symbols import defined_symbols, needed_symbols
from cl_magic.clc.pointer_effects import Summary, pointer_effects
from cl_magic.clc.pointer_facts import pointer_facts
from cl_magic.clc.signature import KernelSignature, Parameter
from cl_magic.clc.signatures import kernel_signature
from cl_magic.clc.spelling import undeclared_name, with_hints
from cl_magic.clc.struct_layouts import struct_layouts
from cl_magic.clc.structs import Layout
from cl_magic.clc.syntax import SyntaxTree, syntax_tree

_NAMED = frozenset({"FUNCTION_DECL", "VAR_DECL", "PARM_DECL", "TYPEDEF_DECL", "ENUM_CONSTANT_DECL"})
_MOST_NODES = 20_000
_ERROR = 3
"""CXDiagnostic_Error; a fatal one is 4."""


def analyse(clang: Libclang, request: AnalysisRequest) -> Analysis:
    """Everything the front end knows of a text.

    Parameters
    ----------
    clang : Libclang
    request : AnalysisRequest

    Returns
    -------
    Analysis
        Not available, with the reason, when libclang gave up on the text.
    """
    started = time.perf_counter_ns()
    try:
        unit = clang.parse(request)
    except clang.cindex.TranslationUnitLoadError:
        return Analysis(available=False, reason="libclang gave up on this text or its options")
    source = request.source.encode("utf-8", "replace")
    tree = syntax_tree(clang, unit, source)
    kernels = _kernels(tree)
    names = {kernel.name for kernel in kernels}
    return Analysis(
        available=True,
        kernels=kernels,
        diagnostics=_diagnostics(tree, request.lacking),
        functions=tuple(name for name in tree.functions if name not in names),
        includes=_includes(unit),
        writable_program_scope=_writable(tree),
        layouts=_layouts(tree),
        defines=defined_symbols(tree),
        needs=needed_symbols(tree),
        duration_ns=time.perf_counter_ns() - started,
    )


def _diagnostics(tree: SyntaxTree, lacking: tuple[str, ...]) -> tuple[Diagnostic, ...]:
    found = with_float_literals(
        clang_diagnostics(tree.unit, tree.source), tree.source.decode("utf-8", "replace") if lacking else ""
    )
    is_undeclared = any(undeclared_name(diagnostic.message) for diagnostic in found)
    return with_hints(found, _declared_names(tree) if is_undeclared else ())


def _declared_names(tree: SyntaxTree) -> Iterator[str]:
    """Names that the text declares, program scope first; a hostile tree is not walked to its end."""
    nodes = (node for declaration in tree.declarations for node in declaration.walk())
    for node in itertools.islice(nodes, _MOST_NODES):
        if node.kind in _NAMED and node.spelling:
            yield node.spelling


def _kernels(tree: SyntaxTree) -> tuple[KernelSignature, ...]:
    signatures = tuple(kernel_signature(tree, node) for node in tree.kernels)
    try:
        return _with_bodies(tree, signatures)
    except (ArithmeticError, LookupError, ValueError, AttributeError, RecursionError):
        # A tree that no rule foresaw, say of a text with errors: the signatures hold, their uses are "not known".
        return signatures


def _with_bodies(tree: SyntaxTree, signatures: tuple[KernelSignature, ...]) -> tuple[KernelSignature, ...]:
    graph = call_graph(tree)
    whole = not any(found.severity >= _ERROR for found in tree.unit.diagnostics)
    # In the order of the text: a helper before its callers, so that the fixpoints are near from the start.
    facts = {name: pointer_facts(function) for name, function in tree.functions.items() if name in graph.calls}
    taints, effects = IdTaints(tree, facts), pointer_effects(tree, facts)
    return tuple(
        replace(
            signature,
            parameters=tuple(
                _with_uses(parameter, effects[signature.name], whole=whole) for parameter in signature.parameters
            ),
            builtins=graph.builtins(signature.name),
            guards=kernel_guards(tree, taints, signature.name),
            return_before_barrier=return_before_barrier(tree, graph, taints, signature.name),
        )
        for signature in signatures
    )


def _with_uses(parameter: Parameter, effects: Summary, *, whole: bool) -> Parameter:
    """A parameter with what is done to it; libclang leaves out statements with errors, so nothing is ruled out then."""
    if not parameter.is_pointer and parameter.address == "private":
        return parameter
    reads, writes = effects.reads_and_writes(parameter.index)
    if not whole:
        reads, writes = reads or None, writes or None
    families = tuple(sorted(family for index, family in effects.images if index == parameter.index))
    return replace(parameter, reads=reads, writes=writes, image_families=families)


def _layouts(tree: SyntaxTree) -> tuple[Layout, ...]:
    try:
        return struct_layouts(tree)
    except (ArithmeticError, LookupError, ValueError, AttributeError, RecursionError):
        return ()  # a text with errors that no rule foresaw


def _includes(unit: Any) -> tuple[str, ...]:  # noqa: ANN401 - an untyped module
    paths = (str(inclusion.include.name) for inclusion in unit.get_includes())
    return tuple(dict.fromkeys(report_name(path) for path in paths if path != BASE_HEADER_PATH))


def _is_constant(type_: Any) -> bool:  # noqa: ANN401 - an untyped module
    """Whether nothing may write to what has this type; of an array its elements count."""
    while type_.kind.name == "CONSTANTARRAY":
        type_ = type_.get_array_element_type()
    return bool(type_.is_const_qualified())


def _writable(tree: SyntaxTree) -> tuple[ProgramScopeVariable, ...]:
    """Variables at program scope that are not constant (samplers are constants by nature)."""
    variables = (node for node in tree.declarations if node.kind == "VAR_DECL")
    return tuple(
        ProgramScopeVariable(node.spelling, node.line)
        for node in variables
        if not _is_constant(node.cursor.type)
        and "__constant" not in str(node.cursor.type.spelling).split()
        and node.type_kind != "OCLSAMPLER"
    )
