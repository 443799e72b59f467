"""The steps of the build; `build.py` parses the commands and calls them.

    wheels/    our wheel, the wheels that Pyodide loads beside it, their lock
    web/       the tools for `web/`: npm packages, esbuild, compression
    runtime/   what a start needs: Pyodide, bytecode, the start-up image
    npm/       the npm package
    site/      the playground, the documentation, their server, the single file
    testing/   the commands `test`, `check`, `matrix` and `profile`

    bundle = wheel, npm install → runtime → npm package, documentation → site
    serve  = bundle → a server on loopback
    test   = light bundle (complete with --all) → test environment → npm test beside pytest

A step runs again only if the content of its inputs has changed.
"""
