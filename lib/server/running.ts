import type { Runtime, RuntimeHandle } from "./runtime";

/** A handle, and the runtime once the server listens. */
export type Handle = RuntimeHandle & { current: Runtime | null };

const KEY = Symbol.for("plumbline.runtime");
/**
 * Pages, `route.ts` files and instrumentation are separate bundles: only `globalThis` is common to them. What
 * finds the runtime must not import it, or each of them would hold all of its code.
 */
const shared = globalThis as { [KEY]?: Handle };

/** Makes this the running Plumbline of the process. */
export function setHandle(handle: Handle): void {
  shared[KEY] = handle;
}

/**
 * The running Plumbline.
 * @throws Error before the server listens
 */
export function getRuntime(): Runtime {
  const runtime = shared[KEY]?.current;
  if (runtime === undefined || runtime === null) throw new Error("Plumbline is not running yet");
  return runtime;
}
