"""Values to HTML, SVG and text."""
