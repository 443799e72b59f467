/**
 * SHA-256 without a wait, for bytes that a running call needs; the browser's own takes one.
 *
 * `@noble/hashes` has it too, in 1.9 kB more of each worker.
 */

const BLOCK_BYTES = 64;

/** The first 32 bits of the fractional parts of a root of each of the first primes. */
function fractions(count: number, root: number): Uint32Array {
  const found = new Uint32Array(count);
  const primes: number[] = [];
  for (let candidate = 2; primes.length < count; candidate += 1) {
    if (primes.every((prime) => candidate % prime !== 0)) {
      found[primes.length] = (candidate ** (1 / root) % 1) * 2 ** 32;
      primes.push(candidate);
    }
  }
  return found;
}

const INITIAL = fractions(8, 2);
const ROUNDS = Int32Array.from(fractions(64, 3));

/** Returns the hash, as 32 bytes. */
export function sha256(bytes: Uint8Array): Uint8Array {
  const state = INITIAL.slice();
  const words = new Int32Array(64);
  const whole = bytes.length - (bytes.length % BLOCK_BYTES);
  for (let at = 0; at < whole; at += BLOCK_BYTES) {
    addBlock(state, words, bytes, at);
  }
  // The rest, a bit, zeros, and the length in bits.
  const rest = bytes.subarray(whole);
  const last = new Uint8Array(rest.length < BLOCK_BYTES - 8 ? BLOCK_BYTES : 2 * BLOCK_BYTES);
  last.set(rest);
  last[rest.length] = 0x80;
  new DataView(last.buffer).setBigUint64(last.length - 8, BigInt(bytes.length) * 8n);
  for (let at = 0; at < last.length; at += BLOCK_BYTES) {
    addBlock(state, words, last, at);
  }
  const hash = new DataView(new ArrayBuffer(32));
  for (const [index, word] of state.entries()) {
    hash.setUint32(index * 4, word);
  }
  return new Uint8Array(hash.buffer);
}

/** Assigns one variable after another: lists of them would take ten times as long. */
function addBlock(state: Uint32Array, words: Int32Array, bytes: Uint8Array, at: number): void {
  const view = new DataView(bytes.buffer, bytes.byteOffset + at, BLOCK_BYTES);
  for (let index = 0; index < 16; index += 1) {
    words[index] = view.getInt32(index * 4);
  }
  for (let index = 16; index < 64; index += 1) {
    const early = words[index - 15] ?? 0;
    const late = words[index - 2] ?? 0;
    words[index] =
      (words[index - 16] ?? 0) +
      (words[index - 7] ?? 0) +
      (turned(early, 7) ^ turned(early, 18) ^ (early >>> 3)) +
      (turned(late, 17) ^ turned(late, 19) ^ (late >>> 10));
  }
  let a = state[0] ?? 0;
  let b = state[1] ?? 0;
  let c = state[2] ?? 0;
  let d = state[3] ?? 0;
  let e = state[4] ?? 0;
  let f = state[5] ?? 0;
  let g = state[6] ?? 0;
  let h = state[7] ?? 0;
  for (let round = 0; round < 64; round += 1) {
    const mixed = (turned(e, 6) ^ turned(e, 11) ^ turned(e, 25)) + ((e & f) ^ (~e & g));
    const one = (h + mixed + (ROUNDS[round] ?? 0) + (words[round] ?? 0)) | 0;
    const two = (turned(a, 2) ^ turned(a, 13) ^ turned(a, 22)) + ((a & b) ^ (a & c) ^ (b & c));
    h = g;
    g = f;
    f = e;
    e = (d + one) | 0;
    d = c;
    c = b;
    b = a;
    a = (one + two) | 0;
  }
  state[0] = (state[0] ?? 0) + a;
  state[1] = (state[1] ?? 0) + b;
  state[2] = (state[2] ?? 0) + c;
  state[3] = (state[3] ?? 0) + d;
  state[4] = (state[4] ?? 0) + e;
  state[5] = (state[5] ?? 0) + f;
  state[6] = (state[6] ?? 0) + g;
  state[7] = (state[7] ?? 0) + h;
}

function turned(word: number, bits: number): number {
  return (word >>> bits) | (word << (32 - bits));
}
