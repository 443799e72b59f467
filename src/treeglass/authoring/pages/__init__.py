"""Pages that hold demos as elements: found in HTML and Markdown, and filled in."""
