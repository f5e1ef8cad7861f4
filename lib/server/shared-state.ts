const KEY = Symbol.for("plumbline.state");
/** Next bundles `instrumentation.ts`, pages and `route.ts` files separately, so each has modules of its own. */
const shared = globalThis as { [KEY]?: WeakMap<object, Map<string, unknown>> };

/**
 * State that belongs to an object and goes with it: the same for every bundle of the process, unlike a variable of a
 * module. Belongs to the process where the owner is `globalThis`.
 * @param name unique for this owner
 * @param create makes it when it's asked for first
 */
export function sharedState<T>(owner: object, name: string, create: () => T): T {
  shared[KEY] ??= new WeakMap();
  const states = shared[KEY].get(owner) ?? new Map<string, unknown>();
  shared[KEY].set(owner, states);
  if (!states.has(name)) states.set(name, create());
  return states.get(name) as T;
}
