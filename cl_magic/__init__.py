"""An OpenCL laboratory inside JupyterLab: kernels in cells, errors on their lines, pictures of what ran."""

from __future__ import annotations

__version__ = "0.1.0"
