"""Another version of Pyodide or pydantic: each place that names it, and what follows from it."""
