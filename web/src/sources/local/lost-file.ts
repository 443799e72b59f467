/** Why a file that was chosen, or handed over, cannot be read any more; a system's words say less. */
export const LOST_FILE =
  "it can no longer be read; it was changed or moved, so choose or mount it again";
