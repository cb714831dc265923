"""Programs before they are executable, and programs that come from elsewhere than a source text.

The states of SYCL's kernel bundles, source, object and executable, are three classes: ``SourceBundle``,
``ProgramObject`` and :class:`~cl_magic.program.Program`.
"""
