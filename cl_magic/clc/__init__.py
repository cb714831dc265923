"""OpenCL C as text: types, signatures, diagnostics. No device."""
