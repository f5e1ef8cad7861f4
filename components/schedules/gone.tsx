"use client";

import { useQuery } from "@tanstack/react-query";
import { Link } from "@/components/ui/link";
import { useLiveCompany } from "@/components/shell/live-company";
import { useZone } from "@/components/shell/time/zone";
import { activityQuery } from "@/lib/client/queries/activity";
import { instantMs } from "@/lib/domain/time/instant";
import { absoluteTime } from "@/lib/domain/words/format";
import { gone } from "./words";

/** The search also covers names, which may contain the same digits. */
const MAX_CANDIDATES = 50;

/**
 * Who deleted a file and when, from the log; else only since when it is gone.
 * @param goneMs when a read found it missing, epoch milliseconds
 */
export function Gone({ id, goneMs }: { id: number; goneMs: number }) {
  const { slug } = useLiveCompany();
  const timeZone = useZone();
  const selection = { q: String(id), outcome: "deleted" };
  const { data } = useQuery(activityQuery(slug, selection, { page: 1, perPage: MAX_CANDIDATES }));
  const deletion = data?.data.find(({ file }) => file?.id === id);
  const deletedMs = instantMs(deletion?.outcome_at ?? null);
  if (deletion === undefined || deletedMs === null)
    return gone.since(absoluteTime(goneMs, timeZone));
  return (
    <>
      {gone.deleted(
        deletion.person === null ? null : (
          <bdi className="font-medium text-ink">{deletion.person.name}</bdi>
        ),
        absoluteTime(deletedMs, timeZone),
      )}{" "}
      <Link href={`/${slug}/activity?q=${id}`} className="underline underline-offset-3">
        {gone.activity}
      </Link>
    </>
  );
}
