import { useQueries, useQuery } from "@tanstack/react-query";
import { useMemo, useState } from "react";
import { useLiveCompany } from "@/components/shell/live-company";
import { deletionQuery } from "@/lib/client/queries/deletion";
import { deletionsQuery, isOpen } from "@/lib/client/queries/deletions";
import { useServerClock } from "@/lib/client/use-now";
import { pendingFiles, type Pending } from "./pending";

/**
 * Current actions on the company's files by file id, from all people, including files just deleted
 * until the list is updated.
 * @param isWanted this person may delete
 */
export function usePendingFiles(isWanted: boolean): ReadonlyMap<number, Pending> {
  const { slug } = useLiveCompany();
  const clock = useServerClock();
  const { data } = useQuery({ ...deletionsQuery(slug), enabled: isWanted });
  const [seen, setSeen] = useState<readonly string[]>([]);
  const fresh = (data?.deletions ?? []).filter((one) => isOpen(one) && !seen.includes(one.id));
  if (fresh.length > 0) setSeen([...seen, ...fresh.map(({ id }) => id)]);
  const views = useQueries({
    queries: seen.map((id) => deletionQuery(slug, id, { clock, isWatched: false })),
    combine: (results) => results.flatMap(({ data: answer }) => answer?.view ?? []),
  });
  return useMemo(() => pendingFiles(views), [views]);
}
