"""The npm package: its modules, its client for workerd, and its package.json."""
