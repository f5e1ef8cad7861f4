import type { Because, MyGrant } from "@/lib/contracts/me";
import type { Role } from "@/lib/domain/rights";

/** One line of what somebody may do: a role, where, and because of what. `companies`: slugs; null is all. */
export type GrantLine = { role: Role; companies: readonly string[] | null; because: Because };

/** Grants in their order, those of one role and one reason in one line. */
export function grantLines(grants: readonly MyGrant[]): GrantLine[] {
  const lines = new Map<string, GrantLine>();
  for (const { role, company, because } of grants) {
    const key = JSON.stringify([role, company === null, reasonOf(because)]);
    const line = lines.get(key);
    if (line === undefined) {
      lines.set(key, { role, companies: company === null ? null : [company], because });
    } else if (company !== null) {
      lines.set(key, { ...line, companies: [...(line.companies ?? []), company] });
    }
  }
  return [...lines.values()];
}

/** What somebody gives on one day is one reason. */
function reasonOf(because: Because): unknown {
  return because.by === "hand" ? [because.person, because.at.slice(0, 10)] : because;
}
