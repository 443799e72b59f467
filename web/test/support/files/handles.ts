/** Directory handles as a browser hands them over, which Node has not. */

/** A browser's answers to questions for permission. */
export interface Permission {
  readonly query: () => Promise<string>;
  readonly request?: () => Promise<string>;
}

/** Returns a directory's handle; `questions` gets every question about permission. */
export function directoryHandle(
  name: string,
  children: readonly object[] = [],
  permission: Permission | null = null,
  questions: unknown[] = [],
): FileSystemDirectoryHandle {
  const ask = (what: string, answer: () => Promise<string>) => (descriptor: unknown) => {
    questions.push([what, descriptor]);
    return answer();
  };
  const handle: unknown = {
    [Symbol.toStringTag]: "FileSystemDirectoryHandle",
    kind: "directory",
    name,
    async *values() {
      yield* children;
    },
    ...(permission === null ? {} : { queryPermission: ask("query", permission.query) }),
    ...(permission?.request === undefined
      ? {}
      : { requestPermission: ask("request", permission.request) }),
  };
  // Only what the client looks at is there.
  return handle as FileSystemDirectoryHandle;
}

export function fileHandle(file: File): { readonly kind: "file"; readonly name: string } {
  const handle = { kind: "file", name: file.name, getFile: async () => file } as const;
  return handle;
}
