"""Paths into `web/src/`; of the build, only `npm/*.mjs` names other modules of it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from build_steps.folders import WEB

if TYPE_CHECKING:
    from pathlib import Path

SOURCES = WEB / "src"

CLIENT = SOURCES / "index.ts"
"""Becomes `index.js`, which pages import."""

WORKER = SOURCES / "hosts" / "page" / "worker" / "worker.ts"
"""Becomes `assets/worker.js`, the script of a page's worker."""

ELEMENT = SOURCES / "element" / "element.ts"
"""Becomes `element.js`, which defines `<treeglass-demo>`."""

ELEMENT_VIEWS = SOURCES / "element" / "views.ts"
"""Becomes `element-views.js`, which `element.js` loads for a demo's files, form or menu."""

REVIEW = SOURCES / "element" / "review" / "review.ts"
"""Becomes `review.js`, which defines `<treeglass-review>`."""

EDGE = SOURCES / "edge.ts"
"""Becomes `edge.js`, for programs that Node, Deno or Bun run."""

EDGE_WORKER = SOURCES / "hosts" / "thread" / "worker" / "worker.ts"
"""Becomes `edge-worker.js`, the script of such a program's thread."""

COMMAND = SOURCES / "command" / "command.ts"
"""Becomes `command.js`, which `npx treeglass` runs."""

WORKERD = SOURCES / "hosts" / "isolate" / "workerd.ts"
"""Becomes `workerd.js`, the client for workerd."""

ADAPTERS = SOURCES / "adapters"
"""The folder of the adapters, and of what they share."""

PLAYGROUND = SOURCES / "playground"
"""The folder of the playground: `main.tsx`, its page, its styles and its icon."""

SAMPLE_PROJECT = WEB / "sample"
"""The folder of the project that a visitor of the playground sees first."""

DOCUMENTATION = SOURCES / "documentation"
"""The folder of the scripts of the documentation's pages."""

SINGLE_FILE_PAGE = SOURCES / "playground" / "single-file" / "page.tsx"
"""The script of the playground as one file."""

SINGLE_FILE_WORKER = SOURCES / "playground" / "single-file" / "worker" / "worker.ts"
"""The script of that page's worker."""


def types_address(source: Path) -> str:
    """Return where the package has the types of a module, relative to its `package.json`."""
    return f"./types/{source.relative_to(SOURCES).with_suffix('.d.ts').as_posix()}"
