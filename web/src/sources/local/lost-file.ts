/** Why a file that the page passed can no longer be read; the system's own message says less. */
export const LOST_FILE = "it was changed, moved or removed; choose or mount it again";
