"""Pickers and panels for notebooks: ipywidgets and anywidget live here only."""

from __future__ import annotations
