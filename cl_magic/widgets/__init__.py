"""Pickers and panels for notebooks: ipywidgets and anywidget live here only."""

from __future__ import annotations

from cl_magic.kernel import Kernel
from cl_magic.show import panel_of
from cl_magic.widgets.device_picker import DevicePicker as DevicePicker
from cl_magic.widgets.interact import interact as interact
from cl_magic.widgets.interact import kernel_panel as kernel_panel
from cl_magic.widgets.live_run import LiveRun as LiveRun
from cl_magic.widgets.live_run import watch as watch
from cl_magic.widgets.live_view import LiveView as LiveView
from cl_magic.widgets.ndrange_picker import NDRangePicker as NDRangePicker
from cl_magic.widgets.panel import KernelPanel as KernelPanel

panel_of.register(Kernel, kernel_panel)
