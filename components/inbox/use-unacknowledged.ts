import { useQuery } from "@tanstack/react-query";
import { usePathname } from "next/navigation";
import { useEffect } from "react";
import { COUNT_PATH } from "@/lib/client/incident-lists";
import { openIncidentsPath } from "@/lib/client/incidents-path";
import { incidentsQuery } from "@/lib/client/queries/incidents";
import { showCount } from "@/lib/client/tab-count";

/**
 * How many open incidents nobody is on, in all companies that somebody sees; it is shown in the tab's title and icon.
 * @param company the slug of the one that the page is about; null: none
 * @returns undefined while it can't be read, which is not the same as none
 */
export function useUnacknowledged(company: string | null): number | undefined {
  const path = usePathname();
  const { data, isError } = useQuery(incidentsQuery(pathFor(path, company)));
  const count = isError ? undefined : data?.unacknowledged_everywhere;
  useEffect(() => (count === undefined ? undefined : showCount(count)), [count]);
  return count;
}

/** What the page asks for anyway, where it asks for incidents: each list says the number. */
function pathFor(path: string, company: string | null): string {
  if (company === null)
    return ["/", "/incidents"].includes(path) ? openIncidentsPath(null) : COUNT_PATH;
  const [, , page = "", more] = path.split("/");
  const listsThem =
    page === "" || page === "partners" || (page === "incidents" && more === undefined);
  return listsThem ? openIncidentsPath(company) : COUNT_PATH;
}
