"use client";

import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useState, useSyncExternalStore } from "react";
import { MessageIcon } from "@/components/settings/rules/message-icon";
import { useZone } from "@/components/shell/time/zone";
import { Link } from "@/components/ui/link";
import { COUNT_PATH } from "@/lib/client/incident-lists";
import { noticeState, onNotices, turnOffNotices, turnOnNotices } from "@/lib/client/notices";
import { inboxQuery, readInbox } from "@/lib/client/queries/inbox";
import { incidentsQuery } from "@/lib/client/queries/incidents";
import { useNow } from "@/lib/client/use-now";
import type { InboxItem } from "@/lib/contracts/delivery";
import { absoluteTime, moment } from "@/lib/domain/words/format";
import { inboxWords as words, noticeWords } from "./words";

const ACT =
  "min-h-6 text-xs/4.5 text-ink-2 underline decoration-control underline-offset-3 hover:text-ink disabled:text-ink-3 disabled:no-underline max-sm:min-h-11";

/** The person's inbox, latest first. @param onLeave called when they navigate away */
export function Inbox({ onLeave }: { onLeave: () => void }) {
  const client = useQueryClient();
  const [page, setPage] = useState(1);
  const { data, isError } = useQuery(inboxQuery(page));
  const newest = useQuery(inboxQuery()).data?.data[0];
  const incidents = useQuery(incidentsQuery(COUNT_PATH)).data?.unacknowledged_everywhere ?? 0;
  const [problem, setProblem] = useState<string | null>(null);
  const items = data?.data ?? [];
  const firstRead = items.findIndex(({ read_at: readAt }) => readAt !== null);
  const markRead = async () => {
    if (newest === undefined) return;
    setProblem(null);
    try {
      await readInbox(client, newest.id);
    } catch {
      setProblem(words.notMarked);
    }
  };
  const toAlerts = (label: string) => (
    <Link href="/settings/alerts" className={ACT} onClick={onLeave}>
      {label}
    </Link>
  );
  return (
    <>
      <div className="flex items-baseline gap-3 border-b border-line px-3.5 py-2.5">
        <h2 className="font-strong">{words.title}</h2>
        <span role="status" className="flex-1 text-xs/4.5 text-ink-2">
          {data === undefined ? null : words.unread(data.unread)}
        </span>
        {(data?.unread ?? 0) > 0 ? (
          <button type="button" className={ACT} onClick={() => void markRead()}>
            {words.markRead}
          </button>
        ) : null}
      </div>
      <p role="alert" className="px-3.5 py-2 text-xs/4.5 text-failing-text empty:hidden">
        {problem}
      </p>
      {incidents === 0 ? null : (
        <Link
          href="/incidents?show=unacknowledged"
          className="border-b border-line px-3.5 py-2 text-xs/4.5 font-medium underline decoration-control underline-offset-3"
          onClick={onLeave}
        >
          {words.unacknowledged(incidents)}
        </Link>
      )}
      {data === undefined ? (
        <p className="min-h-16 px-3.5 py-2 text-xs/4.5 text-ink-2" aria-busy={!isError}>
          {isError ? words.notLoaded : null}
        </p>
      ) : items.length === 0 ? (
        <p className="min-h-16 px-3.5 py-2 text-xs/4.5 text-ink-2">
          {words.empty} {toAlerts(words.choose)}
        </p>
      ) : (
        <ol className="overflow-y-auto">
          {items.map((item, index) => (
            <Item
              key={item.id}
              item={item}
              beginsEarlier={index > 0 && index === firstRead}
              onLeave={onLeave}
            />
          ))}
        </ol>
      )}
      <div className="flex flex-wrap items-baseline justify-between gap-x-3.5 gap-y-1 border-t border-line-strong bg-sunken px-3.5 py-[7px] text-xs/4.5 text-ink-2">
        {data !== undefined && items.length === 0 ? null : toAlerts(words.settings)}
        <Notices />
        {(data?.meta.total_pages ?? 1) <= 1 ? null : (
          <span className="flex gap-3">
            <button
              type="button"
              className={ACT}
              disabled={page <= 1}
              onClick={() => setPage(page - 1)}
            >
              {words.newer}
            </button>
            <button
              type="button"
              className={ACT}
              disabled={page >= (data?.meta.total_pages ?? 1)}
              onClick={() => setPage(page + 1)}
            >
              {words.older}
            </button>
          </span>
        )}
      </div>
    </>
  );
}

function Item({
  item: { type, at, text, href, read_at: readAt },
  beginsEarlier,
  onLeave,
}: {
  item: InboxItem;
  /** The first item that was read before. */
  beginsEarlier: boolean;
  onLeave: () => void;
}) {
  const timeZone = useZone();
  const ms = Date.parse(at);
  const when = useNow((nowMs) => moment(ms, nowMs, timeZone));
  const [first = "", ...rest] = text.split("\n");
  return (
    <>
      {beginsEarlier ? (
        <li
          className="relative block border-t border-line bg-sunken px-3.5 py-1 text-2xs/4.5 wrap-anywhere text-ink-2 hover:bg-row-hover"
          aria-hidden="true"
        >
          {words.earlier}
        </li>
      ) : null}
      <li
        className={`relative grid grid-cols-[16px_minmax(0,1fr)_auto] gap-2 border-t border-line px-3.5 py-2.5 wrap-anywhere text-ink-2 [&>svg]:mt-1 first:border-t-0 hover:bg-row-hover ${readAt === null ? "shadow-[inset_3px_0_0_var(--ink)]" : ""}`}
      >
        <MessageIcon type={type} />
        <div>
          {readAt === null ? <span className="sr-only">{words.isUnread} </span> : null}
          <Link
            href={href}
            className={`after:absolute after:inset-0 ${readAt === null ? "font-medium text-ink" : ""}`}
            dir="auto"
            onClick={onLeave}
          >
            {first}
          </Link>
          {rest.length === 0 ? null : (
            <p dir="auto" className="mt-0.5 text-xs whitespace-pre-line">
              {rest.join("\n")}
            </p>
          )}
        </div>
        <time
          className="text-xs/4.5 whitespace-nowrap"
          dateTime={at}
          title={absoluteTime(ms, timeZone)}
        >
          {when}
        </time>
      </li>
    </>
  );
}

/** The browser's notifications, turned on and off; permission is requested only on a click. */
function Notices() {
  const state = useSyncExternalStore(onNotices, noticeState, () => "missing");
  if (state === "missing") return null;
  if (state === "blocked") return <span className="flex gap-3">{noticeWords.blocked}</span>;
  return (
    <button
      type="button"
      className={ACT}
      onClick={() => (state === "on" ? turnOffNotices() : void turnOnNotices())}
    >
      {state === "on" ? noticeWords.turnOff : noticeWords.turnOn}
    </button>
  );
}
