"""What an editor knows of a cell while it is typed: errors, completions, explanations. No shell, no device.

`facts` is the table of the language that the kernel and the editor share; `service` asks libclang, in a process of
its own that can open no file.
"""
