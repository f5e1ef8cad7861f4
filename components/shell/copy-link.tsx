"use client";

import { useZoneChoice } from "@/components/shell/time/zone";
import { COPY_LINK } from "./words";
import { CopyButton } from "@/components/ui/copy-button";
import { shareLink } from "@/lib/client/share-link";

/** Copies the address of a page that can't show a past moment; others have *Share*. */
export function CopyLink({
  look = "plain",
  className = "",
}: {
  look?: "plain" | "primary";
  className?: string;
}) {
  const { choice } = useZoneChoice();
  const link = () => shareLink(window.location.href, { atMs: null, clock: choice });
  return (
    <CopyButton text={link} look={look} className={className}>
      {COPY_LINK}
    </CopyButton>
  );
}
