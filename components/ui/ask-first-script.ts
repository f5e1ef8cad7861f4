/**
 * Asks a `FirstScript` what it has kept, by the name that it gave itself on `window`.
 * @returns what it says; null where it did not run
 */
export function askFirstScript(name: string, ...given: unknown[]): unknown {
  const told: unknown = Reflect.get(window, name);
  return typeof told === "function" ? (told as (...args: unknown[]) => unknown)(...given) : null;
}
