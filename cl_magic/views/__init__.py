"""Records to the payloads of the live views, and the module that draws them in a browser.

A payload is what a view needs and no more: a JSON head and binary columns. The same payload travels to a widget, into
a notebook's saved output, and to the labextension's renderer; one module without dependencies, `js/index.js`, draws it
in all of them. Importing the package registers what a run's saved output brings.
"""

from __future__ import annotations

from cl_magic.record.run import RunRecord
from cl_magic.show import live_of
from cl_magic.views.run import live_run

live_of.register(RunRecord, live_run)
