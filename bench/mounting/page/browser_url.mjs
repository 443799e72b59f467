// In the place of `node:url`, of which memfs wants what every browser has.
export const { URL } = globalThis;
