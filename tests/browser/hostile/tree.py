"""A tree whose names and contents would do harm if a page took them for markup."""

MARKUP = "<img src=x onerror=document.documentElement.dataset.ran=1>"
SCRIPT = "<script>document.documentElement.dataset.ran=1</script>"
HOSTILE = {
    "README.md": f"{SCRIPT}\n{MARKUP}\n\u202egnp.exe\x1b[31m red\n",
    f"{MARKUP}/in.html": SCRIPT,
    '"><svg onload=document.documentElement.dataset.ran=1>': MARKUP,
    "line\nbreak": "x\n",
    "\u202egnp.exe": "x\n",
    "esc\x1b[31m": "x\n",
    "__proto__": "x\n",
}
DRAWN = [
    MARKUP,
    '"><svg onload=document.documentElement.dataset.ran=1>',
    "__proto__",
    "escESC[31m",
    "lineLFbreak",
    "README.md",
    "U+202Egnp.exe",
]
"""Its names as a page draws them, in their order."""
