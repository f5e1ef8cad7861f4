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
import "./inbox.css";

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
    <Link href="/settings/alerts" className="inbox-act" onClick={onLeave}>
      {label}
    </Link>
  );
  return (
    <>
      <div className="inbox-head">
        <h2>{words.title}</h2>
        <span role="status">{data === undefined ? null : words.unread(data.unread)}</span>
        {(data?.unread ?? 0) > 0 ? (
          <button type="button" className="inbox-act" onClick={() => void markRead()}>
            {words.markRead}
          </button>
        ) : null}
      </div>
      <p role="alert" className="inbox-problem empty:hidden">
        {problem}
      </p>
      {incidents === 0 ? null : (
        <Link href="/incidents?show=unacknowledged" className="inbox-incidents" onClick={onLeave}>
          {words.unacknowledged(incidents)}
        </Link>
      )}
      {data === undefined ? (
        <p className="inbox-none" aria-busy={!isError}>
          {isError ? words.notLoaded : null}
        </p>
      ) : items.length === 0 ? (
        <p className="inbox-none">
          {words.empty} {toAlerts(words.choose)}
        </p>
      ) : (
        <ol>
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
      <div className="inbox-foot">
        {data !== undefined && items.length === 0 ? null : toAlerts(words.settings)}
        <Notices />
        {(data?.meta.total_pages ?? 1) <= 1 ? null : (
          <span>
            <button
              type="button"
              className="inbox-act"
              disabled={page <= 1}
              onClick={() => setPage(page - 1)}
            >
              {words.newer}
            </button>
            <button
              type="button"
              className="inbox-act"
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
        <li className="inbox-earlier" aria-hidden="true">
          {words.earlier}
        </li>
      ) : null}
      <li className={readAt === null ? "is-unread" : undefined}>
        <MessageIcon type={type} />
        <div>
          {readAt === null ? <span className="sr-only">{words.isUnread} </span> : null}
          <Link href={href} className="after:absolute after:inset-0" dir="auto" onClick={onLeave}>
            {first}
          </Link>
          {rest.length === 0 ? null : <p dir="auto">{rest.join("\n")}</p>}
        </div>
        <time dateTime={at} title={absoluteTime(ms, timeZone)}>
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
  if (state === "blocked") return <span>{noticeWords.blocked}</span>;
  return (
    <button
      type="button"
      className="inbox-act"
      onClick={() => (state === "on" ? turnOffNotices() : void turnOnNotices())}
    >
      {state === "on" ? noticeWords.turnOff : noticeWords.turnOn}
    </button>
  );
}
