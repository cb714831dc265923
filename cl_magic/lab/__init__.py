"""What a front end asks a kernel for: the facts of the side panel."""
