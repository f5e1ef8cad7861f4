/** No usable answer: the provider is unreachable, too slow, or violates the protocol. */
export class ProviderDown extends Error {
  override readonly name = "ProviderDown";
}

/** Its answer can't be trusted. `why`: a code for the log. */
export class ProviderRefused extends Error {
  override readonly name = "ProviderRefused";
  readonly why: string;
  constructor(why: string) {
    super(`the provider's answer is refused: ${why}`);
    this.why = why;
  }
}

/** The `why` of `NotProvenAgain`. */
export const NOT_PROVEN_AGAIN = "not_proven_again";

/** It didn't authenticate a person again although it had to, or doesn't say when it did. */
export class NotProvenAgain extends ProviderRefused {
  constructor() {
    super(NOT_PROVEN_AGAIN);
  }
}

/**
 * Compares by name: each of Next's bundles has its own copy of these classes, and the provider is shared by all.
 */
export function isProviderDown(error: unknown): error is ProviderDown {
  return error instanceof Error && error.name === "ProviderDown";
}

/** See `isProviderDown`. `NotProvenAgain` is one of these. */
export function isProviderRefused(error: unknown): error is ProviderRefused {
  return error instanceof Error && error.name === "ProviderRefused";
}

/** Errors of libraries may quote tokens, so only their codes are passed on. */
export function toProviderError(error: unknown): Error {
  let cause = error;
  let code: string | null = null;
  for (let depth = 0; depth < 6 && cause instanceof Error; depth++) {
    if (cause instanceof ProviderDown || cause instanceof ProviderRefused) return cause;
    const given: unknown = Reflect.get(cause, "error") ?? Reflect.get(cause, "code");
    if (typeof given === "string" && /^\w{1,64}$/.test(given)) code = given;
    cause = cause.cause;
  }
  return new ProviderRefused((code ?? "unreadable").toLowerCase());
}
