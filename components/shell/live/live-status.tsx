"use client";

import type { ReactNode } from "react";
import { Chevron } from "@/components/marks/chevron";
import { ConfidenceIcon } from "@/components/marks/confidence-icon";
import { confidenceLabel } from "@/components/shell/words";
import type { Confidence } from "@/lib/domain/sync";

/**
 * Confidence in the top bar. It is always there, so that screen readers announce each change.
 * @param note what is known besides, for screen readers
 * @param children the button that opens the ledger; null while the bar below says more
 */
export function LiveStatus({
  label,
  note,
  children,
}: {
  label: string;
  note: string;
  children: ReactNode;
}) {
  return (
    <div role="status" aria-label={confidenceLabel(label)} className="live-status">
      {children ?? <span className="sr-only">{label}</span>}
      {note === "" ? null : <span className="sr-only">{note}</span>}
    </div>
  );
}

/** Content of that button: "Live, 7 s". @param age empty: unknown */
export function LiveButtonContent({
  confidence,
  label,
  age,
}: {
  confidence: Confidence;
  label: string;
  age: string;
}) {
  return (
    <>
      <ConfidenceIcon confidence={confidence} />
      <b className="font-medium">{age === "" ? label : `${label},`}</b>{" "}
      {/* Announced when the word changes, not every second. */}
      <span aria-live="off" className="live-age">
        {age}
      </span>
      <Chevron className="max-sm:hidden" />
    </>
  );
}
