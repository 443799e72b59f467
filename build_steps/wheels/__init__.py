"""Our wheel, the wheels that Pyodide loads beside it, and the lock that names both."""
