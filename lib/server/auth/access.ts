import { deriveGrants, type AccessRule, type FoundGrant } from "@/lib/domain/access-rules";
import { hasRight, hasRightSomewhere, type Right } from "@/lib/domain/rights";
import type { Grantee } from "@/lib/server/store/people/grantee";
import type { Claims } from "@/lib/server/store/schema/people";

/** Who gets what by their claims, as of now. */
export type Access = {
  /** Whose people can sign in; null: there is no provider. */
  issuer: string | null;
  rules(): readonly AccessRule[];
  /** From now on these hold, for those who are signed in as well. */
  replace(rules: readonly AccessRule[]): void;
  /** What the rules make of somebody; nothing of local people, and of those of another issuer. */
  find(person: { issuer: string | null; claims: Claims | null }): FoundGrant[];
};

/** @param issuer whose claims count; null: nobody's do */
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

/** Whether somebody has a right at a company now, signed in or not. */
export function holds(
  { find }: Pick<Access, "find">,
  holder: Grantee,
  right: Right,
  company: string,
): boolean {
  return !holder.isDisabled && hasRight([...holder.grants, ...find(holder)], right, company);
}

/** Whether somebody has a right at any company now, signed in or not. */
export function holdsSomewhere(
  { find }: Pick<Access, "find">,
  holder: Grantee,
  right: Right,
): boolean {
  return !holder.isDisabled && hasRightSomewhere([...holder.grants, ...find(holder)], right);
}

/** Who may handle the incidents of a company now. */
export const mayHandleBy =
  (access: Pick<Access, "find">) =>
  (holder: Grantee, company: string): boolean =>
    holds(access, holder, "handle-incidents", company);
