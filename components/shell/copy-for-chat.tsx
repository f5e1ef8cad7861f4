"use client";

import { CopyButton } from "@/components/ui/copy-button";
import { shareLink } from "@/lib/client/share-link";
import { useServerClock } from "@/lib/client/use-now";
import type { SyncStatusRow, SyncStatusView } from "@/lib/contracts/dashboard";
import { COPY_FOR_CHAT } from "./later-words";
import { useZone, useZoneChoice } from "./zone";

/** What a page says of itself at this moment; the module is loaded at the press. */
type Say = (
  words: typeof import("./chat-statement"),
  said: { nowMs: number; timeZone: string },
) => string;

/**
 * Copies one dated sentence about what this page shows, and the page's address.
 * @param subject what the sentence begins with; it becomes the link where a chat takes one
 * @param withThen the address is that of this very moment, and shows then and now
 */
export function CopyForChat({
  subject,
  say,
  withThen = false,
  className = "",
}: {
  subject: string;
  say: Say;
  withThen?: boolean;
  className?: string;
}) {
  const { choice } = useZoneChoice();
  const timeZone = useZone();
  const clock = useServerClock();
  const copy = async () => {
    const nowMs = clock.nowMs();
    const { href } = window.location;
    const words = await import("./chat-statement");
    const link = shareLink(href, { atMs: withThen ? nowMs : null, clock: choice });
    return words.forChat(say(words, { nowMs, timeZone }), subject, link);
  };
  return (
    <CopyButton text={copy} className={className}>
      {COPY_FOR_CHAT}
    </CopyButton>
  );
}

/** The same of some endpoints of a company. */
export function CopyRowsForChat({
  subject,
  rows,
  view,
  nameOf = ({ endpoint_key: key }) => key,
  ...rest
}: {
  subject: string;
  rows: readonly SyncStatusRow[];
  view: Pick<SyncStatusView, "as_of" | "source">;
  nameOf?: (row: SyncStatusRow) => string;
  withThen?: boolean;
  className?: string;
}) {
  return (
    <CopyForChat
      subject={subject}
      say={({ rowsStatement }, said) => rowsStatement(subject, rows, view, said, nameOf)}
      {...rest}
    />
  );
}
