import { hasRight } from "@/lib/domain/rights";
import type { Person } from "@/lib/server/auth/person";
import { getRuntime } from "@/lib/server/running";

/** Whether somebody may see and change who may do what, and read what became of it. */
export function mayManagePeople({ grants }: Person): boolean {
  return hasRight(grants, "manage-people", null);
}

/** Our clock, epoch milliseconds. */
export function nowMs(): number {
  return getRuntime().clock.nowMs();
}
