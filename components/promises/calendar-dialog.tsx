"use client";

import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useRef, useState } from "react";
import { DataTable } from "@/components/resource/data-table";
import { When } from "@/components/resource/when";
import { useLiveCompany } from "@/components/shell/live-company";
import { useZone } from "@/components/shell/time/zone";
import { Button } from "@/components/ui/button";
import { CopyButton } from "@/components/ui/copy-button";
import Dialog from "@/components/ui/dialog";
import { statusOf } from "@/lib/client/api";
import {
  calendarsQuery,
  makeCalendar,
  revokeCalendar,
} from "@/lib/client/queries/calendars/calendars";
import type { MadeCalendar } from "@/lib/contracts/lists/calendars";
import { absoluteTime } from "@/lib/domain/words/format";
import { calendarDialog as words, calendarRefusal } from "./calendar-words";

/** Creates and revokes links to the company's calendar. Default export for `lazyPart`. */
export default function CalendarDialog({ onClose }: { onClose: () => void }) {
  const { slug } = useLiveCompany();
  const timeZone = useZone();
  const client = useQueryClient();
  const { data, isError } = useQuery(calendarsQuery(slug));
  const [made, setMade] = useState<MadeCalendar | null>(null);
  /** Id of the link being revoked, or `new`; null: nothing is sent. */
  const [busy, setBusy] = useState<string | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const [isRevoked, setIsRevoked] = useState(false);
  const listRef = useRef<HTMLDivElement>(null);

  const send = async (what: string, change: () => Promise<void>) => {
    setBusy(what);
    setProblem(null);
    setIsRevoked(false);
    try {
      await change();
    } catch (error) {
      setProblem(calendarRefusal(statusOf(error), what === "new" ? "create" : "revoke"));
    }
    setBusy(null);
  };
  const create = () => send("new", async () => setMade(await makeCalendar(client, slug)));
  const revoke = (id: string) =>
    send(id, async () => {
      await revokeCalendar(client, slug, id);
      if (made?.id === id) setMade(null);
      setIsRevoked(true);
      // The pressed button is removed with its row.
      listRef.current?.focus();
    });
  const listed = data?.data ?? [];
  return (
    <Dialog
      title={words.title}
      closeLabel={words.close}
      onClose={onClose}
      className="w-[600px]"
      actions={
        made === null ? (
          <Button look="primary" disabled={busy !== null} onClick={() => void create()}>
            {busy === "new" ? words.creating : words.create}
          </Button>
        ) : (
          <CopyButton look="primary" text={() => made.url}>
            {words.copy}
          </CopyButton>
        )
      }
    >
      <p>{words.about}</p>
      <p className="mt-2">{words.access}</p>
      <div role="status">
        {isRevoked ? <p className="mt-3 text-ink">{words.revoked}</p> : null}
        {made === null ? null : (
          <>
            <p className="mt-3 text-ink">{words.made}</p>
            <input
              readOnly
              ref={focusOnMount}
              aria-label={words.address}
              value={made.url}
              onFocus={({ target }) => target.select()}
              className="mt-2 block h-[38px] w-full rounded border border-control bg-sunken px-2.5 font-mono text-xs text-ink"
            />
          </>
        )}
      </div>
      <p role="alert" className="mt-2 text-xs text-failing-text empty:hidden">
        {problem ?? (isError && data === undefined ? words.notLoaded : null)}
      </p>
      <div ref={listRef} tabIndex={-1} className="mt-3 max-h-[260px] overflow-auto outline-none">
        {data === undefined ? null : listed.length === 0 ? (
          <p>{words.none}</p>
        ) : (
          <DataTable
            label={words.list}
            className="text-ink"
            rows={listed}
            rowHeight="one-line"
            keyOf={({ id }) => id}
            columns={[
              {
                title: words.created,
                width: "w-[150px]",
                phone: "1 start",
                isHeader: true,
                cell: ({ created_at: at }) => <When at={at} />,
              },
              {
                title: words.by,
                phone: "2 whole quiet",
                cell: ({ made_by: by, is_open: isOpen }) =>
                  (by.is_you ? words.you : by.name) + (isOpen ? "" : words.ended),
              },
              {
                title: words.revoke,
                isActions: true,
                width: "w-[110px]",
                phone: "1 end",
                cell: ({ id, created_at: at }) => (
                  <Button
                    aria-label={words.revokeOf(absoluteTime(Date.parse(at), timeZone))}
                    disabled={busy !== null}
                    onClick={() => void revoke(id)}
                  >
                    {busy === id ? words.revoking : words.revoke}
                  </Button>
                ),
              },
            ]}
          />
        )}
      </div>
    </Dialog>
  );
}

/** The pressed button is removed when the link appears. */
function focusOnMount(input: HTMLInputElement | null): void {
  input?.focus();
}
