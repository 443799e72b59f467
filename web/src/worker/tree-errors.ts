/** The errors of an entry, as the wheel takes them: numbers of Python's `errno`. */

/** The interpreter's numbers are WASI's, not Linux's. */
export const ERRNO = {
  EACCES: 2,
  ENOENT: 44,
  EINVAL: 28,
  EIO: 29,
  ENOTDIR: 54,
} as const;

/** Says why there is no answer about an entry. */
export class TreeError extends Error {
  readonly errno: number;

  constructor(errno: number) {
    super(`errno ${errno}`);
    this.errno = errno;
  }
}
