"use client";

import { useZoneChoice } from "@/components/shell/time/zone";
import { COPY_LINK, COPY_MOMENT } from "./words";
import { CopyButton } from "@/components/ui/copy-button";
import { shareLink } from "@/lib/client/share-link";
import { useServerClock } from "@/lib/client/use-now";

/**
 * Copies the address of this page; `withThen`: including the present moment, so that it shows then
 * and now.
 */
export function CopyLink({
  withThen = false,
  look = "plain",
  className = "",
}: {
  withThen?: boolean;
  look?: "plain" | "primary";
  className?: string;
}) {
  const { choice } = useZoneChoice();
  const clock = useServerClock();
  const link = () =>
    shareLink(window.location.href, { atMs: withThen ? clock.nowMs() : null, clock: choice });
  return (
    <CopyButton text={link} look={look} className={className}>
      {withThen ? COPY_MOMENT : COPY_LINK}
    </CopyButton>
  );
}
