/** Why a file that was chosen, or handed over, cannot be read any more; a system's words say less. */
export const LOST_FILE = "it was changed, moved or removed; choose or mount it again";
