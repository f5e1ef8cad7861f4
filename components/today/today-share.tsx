"use client";

import { ShareMenu } from "@/components/drill-down/share/share-menu";
import type { PopupButtonProps } from "@/components/ui/popup-button";
import type { ShownToday } from "@/lib/domain/today/shown";
import { todayStatement } from "@/lib/domain/words/today-words";

/**
 * *Share* on the first page: only with colleagues, because the page is about all customers. Default
 * export for `popupButton`.
 * @param frozenMs the moment shown, once nothing newer is known; null while live
 */
export default function TodayShare({
  subject,
  today,
  frozenMs,
  ...button
}: PopupButtonProps & { subject: string; today: ShownToday; frozenMs: number | null }) {
  return (
    <ShareMenu
      button={button}
      subject={subject}
      say={({ nowMs, timeZone }) =>
        todayStatement(subject, {
          counts: today.counts,
          lines: today.lines,
          unseen: today.unseen,
          offsets: today.api_clock_offsets,
          saidMs: frozenMs ?? nowMs,
          nowMs,
          timeZone,
          isBlind: frozenMs !== null,
        })
      }
      tell={null}
      link={null}
    />
  );
}
