import type { Person } from "@/lib/server/auth/person";
import { getRuntime } from "@/lib/server/running";
import { mayManageConnections, visibleCompanies } from "./current-person";

/**
 * The demo companies that a person may see, for the line on every page.
 * @returns null without any; `hasOthers`: the person also sees companies that aren't invented
 */
export function currentDemo(
  person: Person,
): { companies: readonly string[]; hasOthers: boolean; mayManage: boolean } | null {
  const { demo } = getRuntime();
  if (!demo.isOn()) return null;
  const visible = visibleCompanies(person);
  const invented = visible.filter(({ slug }) => demo.has(slug));
  if (invented.length === 0) return null;
  return {
    companies: invented.map(({ name }) => name),
    hasOthers: invented.length < visible.length,
    mayManage: mayManageConnections(person),
  };
}
