/** The functions of a profile, written as ranges: `0-3 8 11-12`. */

/** Returns the numbers in a text of ranges. */
export function readRanges(text: string): Set<number> {
  const numbers = new Set<number>();
  for (const range of text.split(/\s+/).filter((part) => part !== "")) {
    const [first = Number.NaN, last = first] = range.split("-").map(Number);
    if (!(first <= last)) {
      throw new Error(`the profile has a malformed range: ${range}`);
    }
    for (let number = first; number <= last; number += 1) {
      numbers.add(number);
    }
  }
  return numbers;
}

/**
 * Returns the numbers without a share of them, which a seed chooses.
 *
 * For tests: what these functions need is then fetched late.
 */
export function withoutShare(numbers: ReadonlySet<number>, share: number, seed: number) {
  let state = seed;
  return new Set(
    [...numbers].filter(() => {
      // The generator of Park and Miller.
      state = (state * 48_271) % 2_147_483_647;
      return state / 2_147_483_647 >= share;
    }),
  );
}
