import { cutSearch } from "@/lib/domain/text/search-limits";
import { schedulePath, schedulesPath } from "@/lib/domain/file-address";
import type { ScheduleFileRow } from "@/lib/contracts/schedule-files";
import { inOwnOrder } from "@/lib/domain/text/in-own-order";
import type { FoundGroup, Target } from "./find";
import { fileWords } from "./words";

/**
 * Files found by the server, as a group; the last item links to the full list when there are more.
 * @param total number of matches
 * @returns null when there is none
 */
export function fileGroup(
  company: { slug: string; name: string },
  query: string,
  files: readonly ScheduleFileRow[],
  total: number,
): FoundGroup | null {
  if (files.length === 0) return null;
  const items = files.map(({ id, name, customer_project: project }): Target => ({
    kind: "file",
    href: schedulePath(company.slug, id),
    name: name.trim() === "" ? fileWords.noName(id) : inOwnOrder(name),
    within: [...(project === null ? [] : [project.name]), company.name],
  }));
  if (total > files.length) {
    const filters = new URLSearchParams({ q: cutSearch(query) }).toString();
    items.push({
      kind: "file",
      href: `${schedulesPath(company.slug)}?${filters}`,
      name: fileWords.all(total),
      within: [company.name],
    });
  }
  return { kind: "file", items, moreCount: Math.max(0, total - items.length) };
}
