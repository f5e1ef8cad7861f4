import type { Because, MyGrant } from "@/lib/contracts/me";
import type { Role } from "@/lib/domain/rights";

/** A role, its companies and the reason for it. `companies`: slugs; null: all. */
export type GrantLine = { role: Role; companies: readonly string[] | null; because: Because };

/** Groups grants by role and reason, in their order. */
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

/** Grants by one person on one day have the same reason. */
function reasonOf(because: Because): unknown {
  return because.by === "hand" ? [because.person, because.at.slice(0, 10)] : because;
}
