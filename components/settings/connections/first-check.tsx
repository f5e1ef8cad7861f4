"use client";

import { useQuery } from "@tanstack/react-query";
import { useRouter } from "next/navigation";
import { useEffect } from "react";
import { useZone } from "@/components/shell/time/zone";
import { Link } from "@/components/ui/link";
import { connectionsQuery } from "@/lib/client/queries/connections/connections";
import { useNow, useServerClock } from "@/lib/client/use-now";
import { firstCheck, firstCheckText } from "./connect-words";

const EVERY_MS = 1_000;

/** Waits for the first check of a connected company, then opens its page. @param name as typed */
export function FirstCheck({ slug, name }: { slug: string; name: string }) {
  const router = useRouter();
  const clock = useServerClock();
  const timeZone = useZone();
  const { data } = useQuery({ ...connectionsQuery(clock), refetchInterval: EVERY_MS });
  const connection = data?.view.data.find((one) => one.slug === slug) ?? null;
  const isRead = connection !== null && connection.last_success_at !== null;
  const text = useNow((nowMs) => firstCheckText(connection, { nowMs, timeZone }));
  useEffect(() => {
    if (isRead) router.push(`/${slug}`);
  }, [isRead, router, slug]);
  return (
    <section aria-labelledby="first-check" className="mt-4">
      <h2 id="first-check" className="font-strong">
        {firstCheck.title}
      </h2>
      <p role="status" className="mt-1 max-w-[520px] text-ink-2">
        {text}
      </p>
      <p className="mt-3 flex flex-wrap gap-3">
        <Link href={`/${slug}`} className="button-link">
          {firstCheck.open(name)}
        </Link>
        <Link href="/settings/connections" className="button-link">
          {firstCheck.all}
        </Link>
      </p>
    </section>
  );
}
