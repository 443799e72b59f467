"""The trees of demos as a mount in the browser holds them, to be answered about on CPython."""
