"""The steps of the build, one subject a module; `build.py` is the door to them.

    bundle = wheel → web_packages → runtime_wheels → assets → npm_package → site
    assets = bytecode → start_image → lock; each package compresses what it serves
    serve  = bundle → a server on loopback
    test   = bundle → test_environment → browsers → npm test, pytest

A step is remade when the content of what goes into it has changed.
"""
