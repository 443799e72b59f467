import { TreeglassError } from "../protocol/errors.ts";
import type { MountLimits } from "../protocol/mount-report.ts";

export const DEFAULT_LIMITS: MountLimits = {
  maxEntries: 1_000_000,
  maxTotalBytes: 4 * 1024 ** 3,
  maxFileBytes: 2 * 1024 ** 3,
  maxDepth: 256,
  maxNameBytes: 255,
  maxPathBytes: 4095,
  maxCompressionRatio: 1000,
};

/** Entries up to this size may have any compression ratio. */
export const RATIO_EXEMPT_BYTES = 1024 * 1024;

/** The interpreter cuts longer names in listings, so this limit can only be lowered. */
const MAX_NAME_BYTES_CEILING = 255;

/** Returns all limits of a mount; throws `BadRequest` for one that the filesystem cannot meet. */
export function completeLimits(chosen: Partial<MountLimits>): MountLimits {
  const limits = { ...DEFAULT_LIMITS, ...chosen };
  if (limits.maxNameBytes > MAX_NAME_BYTES_CEILING) {
    throw new TreeglassError(
      "BadRequest",
      `maxNameBytes is ${limits.maxNameBytes}; longer names than ${MAX_NAME_BYTES_CEILING} bytes cannot be listed, so choose no more than that`,
    );
  }
  return limits;
}
