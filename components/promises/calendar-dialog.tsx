"use client";

import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useRef, useState } from "react";
import ConfirmDialog from "@/components/resource/confirm-dialog";
import { DataTable } from "@/components/resource/data-table";
import { RowActions } from "@/components/resource/row-actions";
import type { Refused } from "@/components/session/refused";
import { useLiveCompany } from "@/components/shell/live-company";
import { useZone } from "@/components/shell/time/zone";
import { Button } from "@/components/ui/button";
import { CopyButton } from "@/components/ui/copy-button";
import Dialog from "@/components/ui/dialog";
import { ShownOnce } from "@/components/ui/form/shown-once";
import { useSending } from "@/components/ui/form/use-sending";
import { statusOf } from "@/lib/client/api";
import {
  calendarsQuery,
  makeCalendar,
  revokeCalendar,
} from "@/lib/client/queries/calendars/calendars";
import type { CalendarEntry, MadeCalendar } from "@/lib/contracts/lists/calendars";
import { absoluteTime } from "@/lib/domain/words/format";
import { calendarDialog as words, calendarRefusal, confirmRevoke } from "./calendar-words";

/** Creates and revokes links to the company's calendar. Default export for `lazyPart`. */
export default function CalendarDialog({ onClose }: { onClose: () => void }) {
  const { slug, name } = useLiveCompany();
  const timeZone = useZone();
  const client = useQueryClient();
  const { data, isError } = useQuery(calendarsQuery(slug));
  const [made, setMade] = useState<MadeCalendar | null>(null);
  const [asked, setAsked] = useState<CalendarEntry | null>(null);
  const [isRevoked, setIsRevoked] = useState(false);
  const listRef = useRef<HTMLDivElement>(null);

  const creating = useSending(async () => {
    setIsRevoked(false);
    try {
      setMade(await makeCalendar(client, slug));
      return null;
    } catch (error) {
      return calendarRefusal(statusOf(error), "create");
    }
  });
  const revoke = async ({ id }: CalendarEntry): Promise<Refused | null> => {
    try {
      await revokeCalendar(client, slug, id);
    } catch (error) {
      return { problem: calendarRefusal(statusOf(error), "revoke") };
    }
    if (made?.id === id) setMade(null);
    setIsRevoked(true);
    setAsked(null);
    // The pressed button is removed with its row.
    listRef.current?.focus();
    return null;
  };
  const createdAt = ({ created_at: at }: CalendarEntry) => absoluteTime(Date.parse(at), timeZone);
  const listed = data?.data ?? [];
  return (
    <Dialog
      title={words.title}
      closeLabel={words.close}
      onClose={onClose}
      className="w-[600px]"
      actions={
        made === null ? (
          <Button look="primary" isBusy={creating.isBusy} onClick={() => void creating.send()}>
            {creating.isBusy ? words.creating : words.create}
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
            {/* The pressed button is removed when the link appears. */}
            <ShownOnce label={words.address} value={made.url} isFocused />
          </>
        )}
      </div>
      <p role="alert" className="mt-2 text-xs text-failing-text empty:hidden">
        {creating.refused ?? (isError && data === undefined ? words.notLoaded : null)}
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
                title: words.of,
                phone: "1 start",
                isHeader: true,
                cell: () => <bdi>{name}</bdi>,
              },
              {
                // With seconds: several can be created within a minute.
                title: words.created,
                width: "w-[232px]",
                phone: "2 whole quiet",
                cell: (calendar) => createdAt(calendar),
              },
              {
                title: words.by,
                width: "w-[92px]",
                phone: "3 whole quiet",
                cell: ({ made_by: by, is_open: isOpen }) =>
                  (by.is_you ? words.you : by.name) + (isOpen ? "" : words.ended),
              },
              {
                title: words.revoke,
                isActions: true,
                width: "w-[98px]",
                phone: "1 end",
                cell: (calendar) => (
                  <RowActions
                    name={words.linkOf(createdAt(calendar))}
                    actions={["revoke"]}
                    words={words}
                    onAct={() => {
                      setIsRevoked(false);
                      setAsked(calendar);
                    }}
                  />
                ),
              },
            ]}
          />
        )}
      </div>
      {asked === null ? null : (
        <ConfirmDialog
          {...confirmRevoke(createdAt(asked))}
          isInner
          onDo={() => revoke(asked)}
          onClose={() => setAsked(null)}
        />
      )}
    </Dialog>
  );
}
