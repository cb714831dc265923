"""Values to HTML, SVG and text. Importing it registers the views of builds, runs, plans, devices and errors."""

from __future__ import annotations

from cl_magic.build.program_info import ProgramInfo
from cl_magic.build.result import BuildResult
from cl_magic.clc.structs import Layout
from cl_magic.clc.type_table import TypeTable
from cl_magic.display.build_report import build_html
from cl_magic.display.build_text import build_text
from cl_magic.display.devices import DevicesView, all_of, devices_html, devices_text
from cl_magic.display.doctor_report import doctor_html, doctor_text
from cl_magic.display.error_report import ErrorReport, error_html, error_text, report_html, report_text, whole_text
from cl_magic.display.evaluation_report import evaluation_html, evaluation_text
from cl_magic.display.explanation import explanation_html, explanation_text
from cl_magic.display.listing_report import listing_html, listing_text
from cl_magic.display.ndrange import ndrange_html
from cl_magic.display.ndrange_index import index_table_html, index_table_text, partition_html, partition_text
from cl_magic.display.program_info import program_info_html, program_info_text
from cl_magic.display.run_report import run_html
from cl_magic.display.run_text import plan_text, run_text
from cl_magic.display.running import running_html, running_text
from cl_magic.display.struct_layout import layout_html, layout_text
from cl_magic.display.sweep_report import sweep_html, sweep_text
from cl_magic.display.types_table import types_html, types_text
from cl_magic.doctor.finding import Examination
from cl_magic.errors import ClMagicError, tell_errors_by
from cl_magic.launch.explanation import Explanation
from cl_magic.launch.index_table import IndexTable
from cl_magic.launch.limits import DeviceInfo, DriverReport
from cl_magic.launch.partition import Partition
from cl_magic.launch.plan import LaunchPlan
from cl_magic.record.evaluation import Evaluation
from cl_magic.record.run import RunRecord
from cl_magic.record.sweep import SweepResult
from cl_magic.record.waiting import Waiting
from cl_magic.reflect.listing import Listing
from cl_magic.show import html_of, text_of

html_of.register(BuildResult, build_html)
text_of.register(BuildResult, build_text)
html_of.register(ProgramInfo, program_info_html)
text_of.register(ProgramInfo, program_info_text)
html_of.register(RunRecord, run_html)
text_of.register(RunRecord, run_text)
html_of.register(LaunchPlan, ndrange_html)
text_of.register(LaunchPlan, plan_text)
html_of.register(Partition, partition_html)
text_of.register(Partition, partition_text)
html_of.register(IndexTable, index_table_html)
text_of.register(IndexTable, index_table_text)
html_of.register(DevicesView, devices_html)
text_of.register(DevicesView, devices_text)
html_of.register(DriverReport, lambda report: devices_html(DevicesView((report,))))
text_of.register(DriverReport, lambda report: devices_text(DevicesView((report,))))
html_of.register(DeviceInfo, lambda device: devices_html(all_of([device])))
text_of.register(DeviceInfo, lambda device: devices_text(all_of([device])))
html_of.register(ClMagicError, error_html)
text_of.register(ClMagicError, error_text)
html_of.register(Waiting, running_html)
text_of.register(Waiting, running_text)
html_of.register(ErrorReport, report_html)
text_of.register(ErrorReport, report_text)
html_of.register(Examination, doctor_html)
text_of.register(Examination, doctor_text)
html_of.register(Layout, layout_html)
text_of.register(Layout, layout_text)
html_of.register(SweepResult, sweep_html)
text_of.register(SweepResult, sweep_text)
html_of.register(TypeTable, types_html)
text_of.register(TypeTable, types_text)
html_of.register(Explanation, explanation_html)
text_of.register(Explanation, explanation_text)
html_of.register(Evaluation, evaluation_html)
text_of.register(Evaluation, evaluation_text)
html_of.register(Listing, listing_html)
text_of.register(Listing, listing_text)
tell_errors_by(whole_text)
