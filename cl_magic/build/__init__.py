"""Programs: specification, options, logs, result."""
