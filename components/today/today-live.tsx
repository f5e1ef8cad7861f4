"use client";

import { LiveFace, LiveStatus } from "@/components/shell/live/live-face";
import { popupButton } from "@/components/ui/popup-button";
import { useTodayConfidence } from "./today-confidence";
import { useTodayHere } from "./today-here";

const LedgerButton = popupButton("dialog", () => import("./today-ledger"));

/** In the top bar: how far the view can be trusted, and the age of its oldest check. */
export function TodayLive() {
  const state = useTodayConfidence(useTodayHere());
  if (state === null) return null;
  const { confidence, label, detail, note, isFolded } = state;
  const isAged = confidence === "live";
  return (
    <LiveStatus label={isAged || detail === "" ? label : `${label}, ${detail}`} note={note}>
      {isFolded ? (
        <LedgerButton className="live">
          <LiveFace confidence={confidence} label={label} age={detail} />
        </LedgerButton>
      ) : null}
    </LiveStatus>
  );
}
