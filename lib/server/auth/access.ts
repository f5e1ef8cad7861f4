import { deriveGrants, type AccessRule, type FoundGrant } from "@/lib/domain/access-rules";
import { hasRight, hasRightSomewhere, type Right } from "@/lib/domain/rights";
import type { Grantee } from "@/lib/server/store/people/grantee";
import type { Claims } from "@/lib/server/store/schema/people";

/** Grants derived from the claims of provider accounts by the current access rules. */
export type Access = {
  /** The issuer whose accounts can sign in; null: no provider is configured. */
  issuer: string | null;
  rules(): readonly AccessRule[];
  /** Replaces the rules, with immediate effect on existing sessions too. */
  replace(rules: readonly AccessRule[]): void;
  /** The grants a person has by the rules; none for local accounts and accounts of another issuer. */
  find(person: { issuer: string | null; claims: Claims | null }): FoundGrant[];
};

/** @param issuer the issuer whose claims are evaluated; null: none are */
export function createAccess(issuer: string | null, first: readonly AccessRule[]): Access {
  let rules = first;
  return {
    issuer,
    rules: () => rules,
    replace(next) {
      rules = next;
    },
    find: (person) =>
      issuer === null || person.issuer !== issuer || person.claims === null
        ? []
        : deriveGrants(rules, person.claims),
  };
}

/** Whether a person currently has a right at a company, signed in or not. */
export function holds(
  { find }: Pick<Access, "find">,
  holder: Grantee,
  right: Right,
  company: string,
): boolean {
  return !holder.isDisabled && hasRight([...holder.grants, ...find(holder)], right, company);
}

/** Whether a person currently has a right at any company, signed in or not. */
export function holdsSomewhere(
  { find }: Pick<Access, "find">,
  holder: Grantee,
  right: Right,
): boolean {
  return !holder.isDisabled && hasRightSomewhere([...holder.grants, ...find(holder)], right);
}

/** Returns a predicate: whether a person may currently handle a company's incidents. */
export const mayHandleBy =
  (access: Pick<Access, "find">) =>
  (holder: Grantee, company: string): boolean =>
    holds(access, holder, "handle-incidents", company);
