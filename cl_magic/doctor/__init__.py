"""The doctor: what this machine has for OpenCL, what ails it, and a remedy to copy for each trouble."""
