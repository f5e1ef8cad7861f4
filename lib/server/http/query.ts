import { Failure } from "@/lib/contracts/failure";
import { cutSearch, SEARCH_CHARACTERS, SEARCH_WORDS } from "@/lib/domain/text/search-limits";
import { count } from "@/lib/domain/words/format";

export const NO_NULL = "must not contain a null character";

/**
 * A query parameter.
 * @returns null when it is absent or empty
 * @throws Failure `invalid_request` naming it when it is given twice or isn't valid text
 */
export function text(query: URLSearchParams, name: string): string | null {
  const [value = "", ...others] = query.getAll(name);
  if (others.length > 0) throw invalid(name, "can be given only once");
  // PostgreSQL text can't contain it.
  if (value.includes("\0")) throw invalid(name, NO_NULL);
  return value === "" ? null : value;
}

/**
 * A search parameter.
 * @returns null when it is absent or empty
 * @throws Failure `invalid_request` naming it when it is too long
 */
export function search(query: URLSearchParams, name: string): string | null {
  const given = text(query, name);
  if (given !== null && cutSearch(given) !== given) {
    const limit = `${SEARCH_WORDS} words and ${SEARCH_CHARACTERS} characters`;
    throw invalid(name, `must have at most ${limit}`);
  }
  return given;
}

/**
 * A parameter with a fixed set of values.
 * @returns null when it is absent or empty
 * @throws Failure `invalid_request` naming it for any other value
 */
export function choice<T extends string>(
  query: URLSearchParams,
  name: string,
  words: readonly T[],
): T | null {
  const given = text(query, name);
  if (given === null) return null;
  const word = words.find((known) => known === given);
  if (word === undefined) throw invalid(name, `must be one of ${words.join(", ")}`);
  return word;
}

/**
 * An integer parameter.
 * @returns null when it is absent or empty
 * @throws Failure `invalid_request` naming it when it is out of range
 */
export function integer(
  query: URLSearchParams,
  name: string,
  { min, max }: { min: number; max: number },
): number | null {
  const given = text(query, name);
  if (given === null) return null;
  const value = /^\d{1,9}$/.test(given) ? Number(given) : Number.NaN;
  if (!(value >= min && value <= max))
    throw invalid(name, `must be a whole number from ${count(min)} to ${count(max)}`);
  return value;
}

/** An invalid property, and what it must be. */
export type Fault = { name: string; must: string };

/** A refusal because of one property. */
export class InvalidProperty extends Failure {
  readonly fault: Fault;

  constructor(fault: Fault) {
    super("invalid_request", `${fault.name} ${fault.must}.`);
    this.fault = fault;
  }
}

export function invalid(name: string, must: string): InvalidProperty {
  return new InvalidProperty({ name, must });
}

/**
 * zod's objections to a body, reduced to the first invalid property.
 * @param mayNot what is said of an unknown property
 * @returns Failure `invalid_request`
 */
export function notValid({ issues }: { issues: readonly Issue[] }, mayNot = NOT_SET): Failure {
  const { name, must } = faultIn(issues[0], mayNot);
  return invalid(name, must);
}

/** Every property that zod objects to. */
export function faultsIn({ issues }: { issues: readonly Issue[] }): Fault[] {
  const faults = new Map<string, Fault>();
  for (const issue of issues) {
    const fault = faultIn(issue, null);
    if (!faults.has(fault.name)) faults.set(fault.name, fault);
  }
  return [...faults.values()];
}

function faultIn(issue: Issue | undefined, mayNot: string | null): Fault {
  const [unknown] = issue?.keys ?? [];
  if (mayNot !== null && unknown !== undefined) return { name: unknown, must: mayNot };
  const name = String(issue?.path[0] ?? "The request");
  const must = issue?.params?.["must"];
  if (typeof must === "string") return { name, must };
  return { name, must: issue === undefined ? NOT_VALID : (limitText(issue) ?? NOT_VALID) };
}

/** The members that are used here of an issue that zod found. */
type Issue = {
  path: readonly PropertyKey[];
  keys?: readonly string[];
  /** What a limit is about. */
  origin?: string;
  minimum?: number | bigint;
  maximum?: number | bigint;
  /** Of a refinement: `must` is what the property has to be, as in `invalid`. */
  params?: Readonly<Record<string, unknown>> | undefined;
};

const NOT_SET = "can’t be set here";
const NOT_VALID = "is missing or not valid";

/** A broken limit of a number, or the longest that a text or a list may be; null: something else is wrong. */
function limitText({ path, origin, minimum, maximum }: Issue): string | null {
  if (path.length !== 1) return null;
  if (maximum !== undefined && origin === "string")
    return `must have at most ${count(Number(maximum))} characters`;
  if (maximum !== undefined && origin === "array")
    return `must have at most ${count(Number(maximum))} entries`;
  if (origin !== "number" && origin !== "int") return null;
  if (minimum !== undefined) return `must be at least ${count(Number(minimum))}`;
  return maximum === undefined ? null : `must be at most ${count(Number(maximum))}`;
}

const UUID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i;

/** Whether PostgreSQL would accept a text as a UUID. */
export const isUuid = (given: string): boolean => UUID.test(given);

/**
 * A boolean parameter: `?mine`, `?mine=1` and `?mine=true` are true.
 * @returns false when it is absent, `0` or `false`
 * @throws Failure `invalid_request` naming it for any other value
 */
export function flag(query: URLSearchParams, name: string): boolean {
  if (!query.has(name)) return false;
  const given = text(query, name) ?? "true";
  if (["1", "true"].includes(given)) return true;
  if (["0", "false"].includes(given)) return false;
  throw invalid(name, "must be true or false, or 1 or 0");
}

/** Same, of which both values narrow. @returns null when it is absent or empty */
export function optionalFlag(query: URLSearchParams, name: string): boolean | null {
  return text(query, name) === null ? null : flag(query, name);
}
