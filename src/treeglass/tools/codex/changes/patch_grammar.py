"""The grammar of a patch in Lark's notation, for hosts with tools whose input is a plain text.

Implements apply_patch.md 1. It is stricter than `patch_text`, except that it allows an update and
a context marker without lines, which the parser refuses.
"""

from typing import Final

PATCH_GRAMMAR: Final = r"""start: begin hunk+ end
begin: "*** Begin Patch" LF
end: "*** End Patch" LF?

hunk: added | deleted | updated
added: "*** Add File: " PATH LF (NEW_LINE LF)+
deleted: "*** Delete File: " PATH LF
updated: "*** Update File: " PATH LF moved? body?
moved: "*** Move to: " PATH LF

body: ((MARKER | CHANGE) LF)+ end_of_file?
end_of_file: "*** End of File" LF

PATH: /.+/
NEW_LINE: /\+.*/
MARKER: /@@( .+)?/
CHANGE: /[-+ ].*/

%import common.LF
"""
