import type { Grant, Role } from "./rights";

/** Claims of a person by name, as parsed from JSON. */
export type ClaimSet = Readonly<Record<string, unknown>>;

/** Grants a role to every person whose claim has this value. */
export type AccessRule = {
  /** Claim name; if there is no claim of that name, a path through objects such as `realm_access.roles`. */
  claim: string;
  /**
   * Compared with the whole value, case-sensitively. With `isGlob`, `*` matches any number of characters, including
   * none.
   */
  value: string;
  isGlob: boolean;
  role: Role;
  /** Slugs; null: all companies, including future ones. */
  companies: readonly string[] | null;
};

/** The rule (numbered from 1, in file order) that gave the grant, and the claim value that matched. */
export type Because = { rule: number; claim: string; value: string };

/** A grant and the rule that gave it. */
export type FoundGrant = Grant & { because: Because };

/** Groups per person: more than any provider puts into a token. */
const MAX_VALUES = 2_000;
const LONGEST_VALUE = 1_000;

/**
 * Grants that the rules give to a person with these claims: each role at each company once, from the first matching
 * rule.
 * An address that the provider marks as unverified is not used as `email`, because its owner is not proven.
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

/** Values of a claim as strings: from a string, number or boolean, or a list of these. Other types are ignored. */
export function claimValues(claims: ClaimSet, claim: string): readonly string[] {
  if (claim === "email" && String(claims["email_verified"]) === "false") return [];
  const given = atPath(claims, claim);
  const listed: readonly unknown[] = Array.isArray(given) ? given.slice(0, MAX_VALUES) : [given];
  return listed.flatMap((one) => {
    const isValue = ["string", "number", "boolean"].includes(typeof one);
    const text = isValue ? String(one) : null;
    return text === null || text.length > LONGEST_VALUE ? [] : [text];
  });
}

/** An exact name wins over a path, because names may contain dots, such as `https://example.com/groups`. */
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
 * Whether a pattern matches the whole text. `*` matches any characters; all others match themselves.
 * Takes at most time proportional to the product of both lengths, because it only backtracks to the last `*`.
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
 * Claims that the provider left out because they don't fit into a token (Entra ID's "overage"). Without them the
 * person's groups are unknown.
 */
export function leftOutClaims(claims: ClaimSet): string[] {
  const names = claims["_claim_names"];
  const elsewhere =
    typeof names === "object" && names !== null && !Array.isArray(names) ? Object.keys(names) : [];
  const hasGroups = String(claims["hasgroups"]) === "true" ? ["groups"] : [];
  return [...new Set([...elsewhere, ...hasGroups])].filter((name) => !Object.hasOwn(claims, name));
}

/** Companies that rules name but that aren't connected, each once. */
export function unknownCompanies(
  rules: readonly AccessRule[],
  connected: readonly string[],
): string[] {
  const named = new Set(rules.flatMap(({ companies }) => companies ?? []));
  return [...named].filter((company) => !connected.includes(company));
}

/** Claims that the rules use, each once. */
export function lookedAtClaims(rules: readonly AccessRule[]): string[] {
  return [...new Set(rules.map(({ claim }) => claim))];
}

/** Whether two lists hold the same grants for the same reasons, in any order. */
export function areSameGrants(a: readonly FoundGrant[], b: readonly FoundGrant[]): boolean {
  // The rule's number only says where it is in the file, so a different number is no change.
  const keys = (of: readonly FoundGrant[]) =>
    of
      .map(({ role, company, because: { claim, value } }) =>
        JSON.stringify([role, company, claim, value]),
      )
      .toSorted()
      .join();
  return keys(a) === keys(b);
}
