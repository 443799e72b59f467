/** The files that the policy (Content-Security-Policy) of a page or of its worker blocks. */
import { TreeglassError } from "./errors.ts";

interface Violation {
  readonly address: string;
  /** Such as `connect-src`. */
  readonly directive: string;
  /** The source that the directive has to allow, such as `'self'`. */
  readonly source: string;
}

/** A browser tells of a violation a few milliseconds after the file has failed. */
const REPORTED_WITHIN_MS = 50;

/** The smallest module. */
const EMPTY_MODULE = Uint8Array.of(0, 0x61, 0x73, 0x6d, 1, 0, 0, 0);

/** The first violation by the folder of its file; null before there is one. */
const watched = new Map<string, Violation | null>();

/** Notes what the policy keeps from loading out of a folder, given by its address; repeatable. */
export function watchPolicy(folder: string): void {
  if (watched.size === 0) {
    // Missing in a page that a program imitates.
    globalThis.addEventListener?.("securitypolicyviolation", note);
  }
  if (!watched.has(folder)) {
    watched.set(folder, null);
  }
}

/**
 * Returns the error that names what the policy has to allow; `failure` if the policy is not at fault.
 *
 * @param whose names the policy, such as `The page's policy`.
 * @param folder was passed to `watchPolicy` before the start.
 */
export async function explainByPolicy(
  whose: string,
  failure: TreeglassError,
  folder: string,
): Promise<TreeglassError> {
  if (watched.get(folder) === null) {
    await new Promise((resolve) => setTimeout(resolve, REPORTED_WITHIN_MS));
  }
  const violation = watched.get(folder) ?? null;
  return violation === null
    ? failure
    : new TreeglassError(
        "StartFailed",
        `${whose} (Content-Security-Policy) keeps ${violation.address} from being loaded; allow ${violation.source} in its ${violation.directive}.`,
        { cause: failure },
      );
}

/** Throws `StartFailed` if this worker may not compile WebAssembly; costs microseconds. */
export function requireCompiling(): void {
  try {
    new WebAssembly.Module(EMPTY_MODULE);
  } catch (cause) {
    throw new TreeglassError(
      "StartFailed",
      "The tools are WebAssembly, which the policy (Content-Security-Policy) of the page or of the assets' worker.js forbids; allow 'wasm-unsafe-eval' in the script-src of both. A browser extension allows it in its manifest, in content_security_policy.extension_pages.",
      { cause },
    );
  }
}

function note(event: Event): void {
  const { blockedURI: address, effectiveDirective } = event as SecurityPolicyViolationEvent;
  for (const [folder, before] of watched) {
    if (before === null && address.startsWith(folder)) {
      const { origin } = new URL(address);
      const source = origin === globalThis.origin ? "'self'" : origin;
      watched.set(folder, {
        address,
        directive: effectiveDirective.replace(/-elem$/, ""),
        source,
      });
    }
  }
}
