"use client";

import { CopyButton } from "@/components/ui/copy-button";
import { useServerClock } from "@/lib/client/use-now";
import type { SyncStatusRow, SyncStatusView } from "@/lib/contracts/dashboard";
import { COPY_FOR_CHAT } from "./words";
import { useZone, useZoneChoice } from "@/components/shell/time/zone";

/** Builds the page's statement; its dependencies are loaded on the click. */
type Say = (said: { nowMs: number; timeZone: string }) => Promise<string>;

/**
 * Copies one dated sentence about this page, and an address with this very moment, which shows then
 * and now.
 * @param subject start of the sentence, which becomes the link in rich text
 */
export function CopyForChat({
  subject,
  say,
  className = "",
}: {
  subject: string;
  say: Say;
  className?: string;
}) {
  const { choice } = useZoneChoice();
  const timeZone = useZone();
  const clock = useServerClock();
  const copy = async () => {
    const nowMs = clock.nowMs();
    const { href } = window.location;
    const shared = { atMs: nowMs, clock: choice };
    const statement = await say({ nowMs, timeZone });
    const { forChat } = await import("./chat-statement");
    return forChat(statement, subject, href, shared);
  };
  return (
    <CopyButton text={copy} className={className}>
      {COPY_FOR_CHAT}
    </CopyButton>
  );
}

const endpointKeyOf = ({ endpoint_key: key }: SyncStatusRow) => key;

/** Same for some endpoints of a company. */
export function CopyRowsForChat({
  subject,
  rows,
  view,
  nameOf = endpointKeyOf,
  ...rest
}: {
  subject: string;
  rows: readonly SyncStatusRow[];
  view: Pick<SyncStatusView, "as_of" | "source">;
  nameOf?: (row: SyncStatusRow) => string;
  className?: string;
}) {
  return (
    <CopyForChat
      subject={subject}
      say={async (said) => {
        const { rowsStatement } = await import("./chat-statement");
        return rowsStatement(subject, rows, view, said, nameOf);
      }}
      {...rest}
    />
  );
}
