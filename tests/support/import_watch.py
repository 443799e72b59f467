"""A script that imports treeglass and prints the side effects of the import."""

# Watches audit events for what leaves the process, and every call for entropy:
# drawing it raises no event. Bytecode is not written, since that is the
# interpreter's own doing.
WATCHED_IMPORT = """
import json, os, sys

OUTWARD = (
    "_thread.", "ftplib.", "http.", "os.chmod", "os.chown", "os.exec", "os.fork", "os.link",
    "os.mkdir", "os.posix_spawn", "os.putenv", "os.remove", "os.rename", "os.rmdir", "os.symlink",
    "os.system", "os.truncate", "os.unsetenv", "os.utime", "shutil.", "smtplib.", "socket.",
    "sqlite3.", "subprocess.", "tempfile.", "urllib.",
)
WRITING = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_APPEND
ENTROPY = {"urandom", "getrandom", "getrandbits", "random", "randbytes", "token_bytes", "uuid4"}
seen = set()

def audit(event, arguments):
    if event.startswith(OUTWARD):
        seen.add(event)
    if event == "open" and isinstance(arguments[2], int) and arguments[2] & WRITING:
        seen.add(f"open {arguments[0]!r} for writing")

def profile(frame, event, called):
    if event == "c_call" and called.__name__ in ENTROPY:
        seen.add(f"call of {called.__name__}")

sys.addaudithook(audit)
sys.setprofile(profile)
import treeglass
{after}
sys.setprofile(None)
print(json.dumps(sorted(seen)))
"""
"""Prints a JSON list; `{after}` in it is for more statements under the same watch."""
