// Replaces `node:url`: memfs needs only the part that every browser has.
export const { URL } = globalThis;
