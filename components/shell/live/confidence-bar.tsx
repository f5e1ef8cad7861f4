"use client";

import type { ReactNode } from "react";
import { ConfidenceIcon } from "@/components/marks/confidence-icon";
import { useLiveCompany, type LiveCompany } from "@/components/shell/live-company";
import { ConfidenceNote } from "@/components/shell/trouble/trouble";
import { AGES, BLIND_ALERT, FRESHNESS, STARTING } from "@/components/shell/words";
import type { Confidence } from "@/lib/domain/sync";
import { CONFIDENCE_LABEL } from "@/lib/domain/words/labels";
import { useHops, type Hop } from "./use-hops";

/** Whether nothing is to be said but the age of the last check, so that it fits into the top bar. */
export function isFolded({ confidence, silence, source }: LiveCompany): boolean {
  const { reason, recording_stopped: stopped = null } = source;
  return confidence === "live" && silence === null && reason === null && stopped === null;
}

/** Confidence, and the age of each hop; nothing while the top bar says it all. */
export function ConfidenceBar() {
  const live = useLiveCompany();
  return isFolded(live) ? null : <CompanyBar {...live} />;
}

function CompanyBar({ confidence, source }: LiveCompany) {
  const isStarting = source.last_success_at === null && source.reason === "starting";
  return (
    <FreshnessBar
      confidence={confidence}
      label={isStarting ? STARTING : CONFIDENCE_LABEL[confidence]}
      hops={useHops()}
      isAlarming={!isStarting}
    >
      {confidence === "live" ? null : <ConfidenceNote />}
    </FreshnessBar>
  );
}

/**
 * The bar below the top bar.
 * @param mark default: `confidence`
 * @param isAlarming whether blindness is announced at once
 * @param children a note: since when we are blind, or after the ages
 */
export function FreshnessBar({
  confidence,
  mark = confidence,
  label,
  hops,
  isAlarming = true,
  children,
}: {
  confidence: Confidence;
  mark?: Confidence;
  label: string;
  hops: readonly Hop[];
  isAlarming?: boolean;
  children: ReactNode;
}) {
  return (
    <section aria-label={FRESHNESS} className={`confidence is-${confidence}`}>
      <div className="confidence-state">
        <ConfidenceIcon confidence={mark} />
        <strong>{label}</strong>
        {confidence === "blind" ? children : null}
      </div>
      <LedgerHops hops={hops} />
      {confidence === "blind" ? null : children}
      {confidence === "blind" && isAlarming ? (
        <p role="alert" className="sr-only">
          {BLIND_ALERT}
        </p>
      ) : null}
    </section>
  );
}

/** Data ages from the partner to the screen, in order. */
function LedgerHops({ hops }: { hops: readonly Hop[] }) {
  return (
    <ol className="ledger" aria-label={AGES}>
      {hops.map(({ name, text, title, isBad }) => (
        <li key={name} className={isBad ? "is-bad" : undefined} title={title}>
          <span>{name}</span>
          <span className="sr-only">, </span>
          <b>{text}</b>
        </li>
      ))}
    </ol>
  );
}
