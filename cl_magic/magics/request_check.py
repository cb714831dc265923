"""What a line alone, or a line and its body together, cannot mean: refused before anything is built."""

from __future__ import annotations

from pathlib import Path

from cl_magic.errors import MagicLineError
from cl_magic.magics.nearest import nearest
from cl_magic.magics.request import CellRequest


def file_path(request: CellRequest) -> Path:
    """Path of ``--file``; a leading ``~`` is the home folder, others start at the notebook's folder.

    Examples
    --------
    >>> file_path(CellRequest(file="kernels/blur.cl")).name
    'blur.cl'
    """
    return Path(request.file).expanduser()


def folders_of(request: CellRequest) -> tuple[str, ...]:
    """Folders of ``-I``, and that of a file.

    Examples
    --------
    >>> folders_of(CellRequest(options=("-Iinc", "-w")))
    ('inc',)
    """
    own = (str(file_path(request).parent),) if request.file else ()
    return (*own, *(option[2:] for option in request.options if option.startswith("-I")))


def check_request(request: CellRequest, source: str) -> None:
    """Check that there is one source, and that every flag has something to act on.

    Parameters
    ----------
    request : CellRequest
    source : str
        The cell's body.

    Raises
    ------
    MagicLineError
        No source or two, or no such file.

    Examples
    --------
    >>> check_request(CellRequest(), "kernel void f() { }")
    """
    if request.file:
        _check_file(request, source)
    elif not source.strip():
        message = "the cell has no source"
        remedy = "write OpenCL C below the %%opencl line, or build a file: %%opencl --file=blur.cl"
        raise MagicLineError(message, remedy=remedy)


def _check_file(request: CellRequest, source: str) -> None:
    if source.strip():
        message = f"the cell has a source of its own and --file={request.file}"
        raise MagicLineError(message, remedy="leave one of them out", file=request.file)
    path = file_path(request)
    if path.is_file():
        return
    near = nearest(path.name, (other.name for other in path.parent.glob("*"))) if path.parent.is_dir() else ""
    remedy = f"did you mean {path.parent / near}?" if near else f"relative paths start at {Path.cwd()}"
    message = f"--file={request.file}: there is no such file"
    raise MagicLineError(message, remedy=remedy, file=request.file, suggestion=near)
