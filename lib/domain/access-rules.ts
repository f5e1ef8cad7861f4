import type { Grant, Role } from "./rights";

/** What a provider says of a person, by name, as JSON has it. */
export type ClaimSet = Readonly<Record<string, unknown>>;

/** Makes whoever has a claim with such a value something. */
export type AccessRule = {
  /** A claim's name; where there is none of it, a path through objects: `realm_access.roles`. */
  claim: string;
  /** The whole value; with `isGlob`, `*` stands for any characters, none included. Case counts. */
  value: string;
  isGlob: boolean;
  role: Role;
  /** Slugs; null: all companies, those that come later included. */
  companies: readonly string[] | null;
};

/** Which rule (from 1, in the order of the file) gave something, and the value of its claim that matched. */
export type Because = { rule: number; claim: string; value: string };

/** What a rule found for somebody. */
export type FoundGrant = Grant & { because: Because };

/** Groups of a person: more than any provider puts into a token. */
const MOST_VALUES = 2_000;
const LONGEST_VALUE = 1_000;

/**
 * What the rules make of somebody with these claims: each role at each company once, by the first rule that gives it.
 * An address that its provider says isn't verified is no `email`: anybody could have typed it.
 */
export function deriveGrants(rules: readonly AccessRule[], claims: ClaimSet): FoundGrant[] {
  const found = new Map<string, FoundGrant>();
  const values = new Map<string, readonly string[]>();
  for (const [index, { claim, value, isGlob, role, companies }] of rules.entries()) {
    const given = values.get(claim) ?? claimValues(claims, claim);
    values.set(claim, given);
    const matched = given.find((one) => (isGlob ? matchesGlob(value, one) : one === value));
    if (matched === undefined) continue;
    for (const company of companies ?? [null]) {
      const key = `${role} ${company ?? ""}`;
      const because = { rule: index + 1, claim, value: matched };
      if (!found.has(key)) found.set(key, { role, company, because });
    }
  }
  return [...found.values()];
}

/** The values of a claim as texts: a text, number or truth value, or a list of them. Others count for nothing. */
export function claimValues(claims: ClaimSet, claim: string): readonly string[] {
  if (claim === "email" && String(claims["email_verified"]) === "false") return [];
  const given = atPath(claims, claim);
  const listed: readonly unknown[] = Array.isArray(given) ? given.slice(0, MOST_VALUES) : [given];
  return listed.flatMap((one) => {
    const isValue = ["string", "number", "boolean"].includes(typeof one);
    const text = isValue ? String(one) : null;
    return text === null || text.length > LONGEST_VALUE ? [] : [text];
  });
}

/** A plain name comes first: names may hold dots, `https://example.com/groups` does. */
function atPath(claims: unknown, path: string): unknown {
  if (typeof claims !== "object" || claims === null || Array.isArray(claims)) return undefined;
  if (Object.hasOwn(claims, path)) return (claims as ClaimSet)[path];
  for (let dot = path.indexOf("."); dot !== -1; dot = path.indexOf(".", dot + 1)) {
    const name = path.slice(0, dot);
    if (Object.hasOwn(claims, name)) return atPath((claims as ClaimSet)[name], path.slice(dot + 1));
  }
  return undefined;
}

/**
 * Whether a whole text is as a pattern wants it. `*` stands for any characters; all others for themselves.
 * Never takes longer than the product of both lengths: it only ever returns to the last `*`.
 */
export function matchesGlob(pattern: string, text: string): boolean {
  let [at, star, retry] = [0, -1, 0];
  let read = 0;
  while (read < text.length) {
    if (pattern[at] === "*") {
      [star, retry] = [at, read];
      at += 1;
    } else if (at < pattern.length && pattern[at] === text[read]) {
      at += 1;
      read += 1;
    } else if (star !== -1) {
      retry += 1;
      [at, read] = [star + 1, retry];
    } else {
      return false;
    }
  }
  while (pattern[at] === "*") at += 1;
  return at === pattern.length;
}

/**
 * Claims that the provider left out because they are too many for a token (Entra ID's "overage"): without them
 * nobody can say which groups somebody is in.
 */
export function leftOutClaims(claims: ClaimSet): string[] {
  const names = claims["_claim_names"];
  const elsewhere =
    typeof names === "object" && names !== null && !Array.isArray(names) ? Object.keys(names) : [];
  const hasGroups = String(claims["hasgroups"]) === "true" ? ["groups"] : [];
  return [...new Set([...elsewhere, ...hasGroups])].filter((name) => !Object.hasOwn(claims, name));
}

/** The companies that rules name and that aren't among the connected ones, each once. */
export function unknownCompanies(
  rules: readonly AccessRule[],
  connected: readonly string[],
): string[] {
  const named = new Set(rules.flatMap(({ companies }) => companies ?? []));
  return [...named].filter((company) => !connected.includes(company));
}

/** The claims that rules look at, each once. */
export function lookedAtClaims(rules: readonly AccessRule[]): string[] {
  return [...new Set(rules.map(({ claim }) => claim))];
}

/** Whether two lists give the same for the same reasons, in any order. */
export function areSameGrants(a: readonly FoundGrant[], b: readonly FoundGrant[]): boolean {
  // The number of a rule is where it stands, which changes nothing for anybody.
  const keys = (of: readonly FoundGrant[]) =>
    of
      .map(({ role, company, because: { claim, value } }) =>
        JSON.stringify([role, company, claim, value]),
      )
      .toSorted()
      .join();
  return keys(a) === keys(b);
}
