"use client";

import { popupButton } from "@/components/ui/popup-button";
import { LiveButtonContent, LiveStatus } from "./live-status";
import { useViewConfidence, useViewStatus } from "./view-confidence";

const LedgerButton = popupButton("dialog", () => import("./view-ledger"));

/** In the top bar: how far the view can be trusted, and the age of its oldest check. */
export function ViewLive() {
  const state = useViewConfidence(useViewStatus());
  if (state === null) return null;
  const { confidence, label, detail, note, isFolded } = state;
  const isAged = confidence === "live";
  return (
    <LiveStatus label={isAged || detail === "" ? label : `${label}, ${detail}`} note={note}>
      {isFolded ? (
        <LedgerButton className="live">
          <LiveButtonContent confidence={confidence} label={label} age={detail} />
        </LedgerButton>
      ) : null}
    </LiveStatus>
  );
}
