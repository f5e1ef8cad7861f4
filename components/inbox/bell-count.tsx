"use client";

import { useQuery } from "@tanstack/react-query";
import { useEffect, useRef, useSyncExternalStore } from "react";
import { newsIn, noticeState, onNotices, showNotice } from "@/lib/client/notices";
import { inboxQuery } from "@/lib/client/queries/inbox";
import { NONE } from "@/components/shell/words";
import { useUnacknowledged } from "./use-unacknowledged";
import { NONE_UNREAD, UNREAD } from "./words";

/**
 * The number on the bell: unread messages, or the number of unacknowledged incidents for people
 * without an inbox. The tab's title shows the latter to everyone.
 */
export function BellCount({ company, hasInbox }: { company: string | null; hasInbox: boolean }) {
  const unacknowledged = useUnacknowledged(company);
  if (hasInbox) return <Unread />;
  return <Amount amount={unacknowledged} none={NONE} />;
}

function Unread() {
  const notices = useSyncExternalStore(onNotices, noticeState, () => "off");
  const { data, isError } = useQuery(inboxQuery(1, notices === "on"));
  const known = useRef<ReadonlySet<string> | null>(null);
  useEffect(() => {
    if (data === undefined) return;
    const news = newsIn(data.data, known.current);
    known.current = new Set([...(known.current ?? []), ...data.data.map(({ id }) => id)]);
    if (notices === "on") for (const item of news) showNotice(item);
  }, [data, notices]);
  return <Amount amount={isError ? undefined : data?.unread} none={NONE_UNREAD} unit={UNREAD} />;
}

/** Shows nothing while unknown, which differs from zero. */
function Amount({
  amount,
  none,
  unit,
}: {
  amount: number | undefined;
  none: string;
  unit?: string;
}) {
  if (amount === undefined) return null;
  if (amount === 0) return <span className="sr-only">: {none}</span>;
  return (
    <>
      <b>{amount > 99 ? "99+" : amount}</b>
      {unit === undefined ? null : <span className="sr-only"> {unit}</span>}
    </>
  );
}
