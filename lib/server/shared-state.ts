const KEY = Symbol.for("plumbline.state");
/**
 * Next bundles `instrumentation.ts`, pages and `route.ts` files separately, so each has its own instances of modules.
 */
const shared = globalThis as { [KEY]?: WeakMap<object, Map<string, unknown>> };

/**
 * State that belongs to an object, and is garbage-collected with it. Unlike a module's variable it is shared by all
 * bundles of the process. With `globalThis` as owner it belongs to the process.
 * @param name unique for this owner
 * @param create called on first use
 */
export function sharedState<T>(owner: object, name: string, create: () => T): T {
  shared[KEY] ??= new WeakMap();
  const states = shared[KEY].get(owner) ?? new Map<string, unknown>();
  shared[KEY].set(owner, states);
  if (!states.has(name)) states.set(name, create());
  return states.get(name) as T;
}
