"""NDRange, plan, arguments: a launch before it happens."""
