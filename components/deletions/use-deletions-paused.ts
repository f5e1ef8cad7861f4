import { useQuery } from "@tanstack/react-query";
import { useLiveCompany } from "@/components/shell/live-company";
import { deletionsQuery } from "@/lib/client/queries/deletions";

/**
 * Whether deletions are paused, as far as the page knows.
 * @param isEnabled the person may delete: only they can query it
 */
export function useDeletionsPaused(isEnabled: boolean): boolean {
  const { slug } = useLiveCompany();
  const { data } = useQuery({ ...deletionsQuery(slug), enabled: isEnabled });
  return isEnabled && (data?.paused ?? null) !== null;
}
