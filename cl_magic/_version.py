"""The version, for modules that must not import the package."""

__version__ = "0.1.0"
