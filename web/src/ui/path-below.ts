/** A tool's spelling of a path, relative to a mount. */

/** Returns the path below the mount, without `.` and double slashes; null for a path outside. */
export function pathBelow(mountPath: string, spelled: string): string | null {
  const inside = spelled.startsWith("/")
    ? `${spelled}/`.startsWith(`${mountPath}/`)
      ? spelled.slice(mountPath.length)
      : null
    : spelled;
  const names = inside?.split("/").filter((name) => name !== "" && name !== ".");
  return names === undefined || names.includes("..") ? null : names.join("/");
}
