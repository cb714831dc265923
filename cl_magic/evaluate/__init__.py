"""Expressions and statements of OpenCL C, evaluated on devices by one work-item, with the types of their values."""
