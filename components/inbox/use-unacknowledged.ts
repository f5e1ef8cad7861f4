import { useQuery } from "@tanstack/react-query";
import { usePathname } from "next/navigation";
import { useEffect } from "react";
import { COUNT_PATH } from "@/lib/client/incident-lists";
import { openIncidentsPath } from "@/lib/client/incidents-path";
import { incidentsQuery } from "@/lib/client/queries/incidents";
import { showCount } from "@/lib/client/tab-count";

/**
 * Number of unacknowledged open incidents in all companies that the person may see; shown in the
 * tab's title and icon.
 * @param company slug of the page's company; null: none
 * @returns undefined while unavailable, which differs from zero
 */
export function useUnacknowledged(company: string | null): number | undefined {
  const path = usePathname();
  const { data, isError } = useQuery(incidentsQuery(pathFor(path, company)));
  const count = isError ? undefined : data?.unacknowledged_everywhere;
  useEffect(() => (count === undefined ? undefined : showCount(count)), [count]);
  return count;
}

/**
 * Reuses the request that the page makes for incidents anyway, because each list has the number.
 */
function pathFor(path: string, company: string | null): string {
  if (company === null) return path === "/incidents" ? openIncidentsPath(null) : COUNT_PATH;
  const [, , page = "", more] = path.split("/");
  const listsThem =
    page === "" || page === "partners" || (page === "incidents" && more === undefined);
  return listsThem ? openIncidentsPath(company) : COUNT_PATH;
}
