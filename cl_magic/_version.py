"""The version, for modules that must not import the package."""

__version__ = "0.1.0"

_MAJOR, _MINOR, _PATCH = (int(part) for part in __version__.split(".")[:3])

FEATURE_MACRO = f"-DCL_MAGIC={_MAJOR * 10_000 + _MINOR * 100 + _PATCH}"
"""Defined in every build: 100 for 0.1.0, so that a source can tell that it is built here (``#ifdef CL_MAGIC``)."""
