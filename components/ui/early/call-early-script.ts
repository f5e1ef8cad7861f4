/**
 * Calls the function that an `EarlyScript` has set on `window`.
 * @returns its result; null where the script did not run
 */
export function callEarlyScript(name: string, ...args: unknown[]): unknown {
  const take: unknown = Reflect.get(window, name);
  return typeof take === "function" ? (take as (...args: unknown[]) => unknown)(...args) : null;
}
