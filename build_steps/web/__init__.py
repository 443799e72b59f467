"""The tools for web/: its npm packages, bundling by esbuild, and compression."""
