"""Engines execute commands: in process, or in a worker process."""
