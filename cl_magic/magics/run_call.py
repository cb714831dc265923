"""``--run='blur(src, dst, w, h)'``: read as a Python call before the build, evaluated in the notebook after it."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from cl_magic.errors import MagicLineError
from cl_magic.magics.nearest import nearest

_EXAMPLE = "--run='blur(src, dst, global_size=(640, 480))'"


@dataclass(frozen=True, slots=True)
class RunCall:
    """A call as it was written.

    Attributes
    ----------
    text : str
    kernel : str
        Name that is called.
    sizes : ast.expr or None
        What stands in ``blur[…](…)``.
    call : ast.Call
        The whole call.
    """

    text: str
    kernel: str
    sizes: ast.expr | None
    call: ast.Call


@dataclass(frozen=True, slots=True)
class RunValues:
    """The values of a call: `sizes` is None where the call has no brackets."""

    args: tuple[Any, ...]
    keywords: dict[str, Any]
    sizes: Any = None


def parse_run_call(text: str) -> RunCall:
    """Read the call of ``--run``.

    Parameters
    ----------
    text : str
        ``kernel(arguments)`` or ``kernel[global, local](arguments)``.

    Raises
    ------
    MagicLineError
        The text is no Python, or no call of a name.

    Examples
    --------
    >>> parse_run_call("blur(src, dst, w, h)").kernel
    'blur'
    >>> parse_run_call("blur[(64, 64), None](src, dst)").sizes is not None
    True
    """
    try:
        call = ast.parse(text.strip(), mode="eval").body
    except (SyntaxError, ValueError) as error:
        message = f"--run={text} is not Python: {getattr(error, 'msg', error)}"
        raise MagicLineError(message, remedy=f"for example {_EXAMPLE}", run=text) from None
    if isinstance(call, ast.Call):
        subscript = call.func if isinstance(call.func, ast.Subscript) else None
        target, sizes = (subscript.value, subscript.slice) if subscript else (call.func, None)
        if isinstance(target, ast.Name):
            return RunCall(text.strip(), target.id, sizes, call)
    message = f"--run={text} is no call of a kernel"
    raise MagicLineError(message, remedy=f"write the kernel's name and its arguments: {_EXAMPLE}", run=text)


def check_kernel(call: RunCall, kernels: Iterable[str]) -> None:
    """Refuse a call of a name that is no kernel of the program.

    Raises
    ------
    MagicLineError
        With the kernels there are.

    Examples
    --------
    >>> check_kernel(parse_run_call("blur(x)"), ["blur"])
    """
    known = tuple(kernels)
    if call.kernel in known:
        return
    near = nearest(call.kernel, known)
    message = f"--run={call.text}: the program has no kernel {call.kernel!r}; it has {', '.join(known)}"
    remedy = f"did you mean {near}?" if near else "call one of them"
    raise MagicLineError(message, remedy=remedy, name=call.kernel, kernels=known, suggestion=near)


def evaluate_arguments(call: RunCall, names: Mapping[str, Any]) -> RunValues:
    """Evaluate the arguments in the notebook's variables; nothing is launched.

    Raises
    ------
    MagicLineError
        An argument that cannot be evaluated; a variable that does not exist is named.

    Examples
    --------
    >>> evaluate_arguments(parse_run_call("blur(x, 2 * n, repeat=3)"), {"x": "X", "n": 4})
    RunValues(args=('X', 8), keywords={'repeat': 3}, sizes=None)
    """
    scope = dict(names)
    collect = ast.copy_location(ast.Name("__clm_collect", ast.Load()), call.call.func)
    arguments = ast.Call(collect, call.call.args, call.call.keywords)
    args, keywords = _evaluate(arguments, {**scope, "__clm_collect": lambda *a, **k: (a, k)}, call.text)
    sizes = None if call.sizes is None else _evaluate(call.sizes, scope, call.text)
    return RunValues(args, keywords, sizes)


def _evaluate(node: ast.expr, scope: dict[str, Any], text: str) -> Any:  # noqa: ANN401 - the notebook's values
    expression = ast.fix_missing_locations(ast.Expression(node))
    try:
        return eval(compile(expression, "<--run>", "eval"), scope)  # noqa: S307 - the notebook's own expression
    except NameError as error:
        near = nearest(error.name or "", scope)
        message = f"--run={text}: there is no variable {error.name}"
        remedy = f"did you mean {near}?" if near else f"define {error.name} before this cell"
        raise MagicLineError(message, remedy=remedy, name=error.name, suggestion=near) from error
    except Exception as error:
        message = f"--run={text}: an argument cannot be evaluated: {type(error).__name__}: {error}"
        raise MagicLineError(message, remedy="correct the argument; nothing was launched", run=text) from error
