import type { ReactNode } from "react";
import { ConfidenceIcon } from "@/components/marks/confidence-icon";
import type { SharedPresent } from "@/lib/contracts/shared-page";
import type { Confidence } from "@/lib/domain/sync";
import { ageRange } from "@/lib/domain/words/format";
import { CONFIDENCE_LABEL } from "@/lib/domain/words/labels";
import { lastCheckText } from "./times";
import { page as words } from "./words";

/**
 * The live part, below its confidence. The reader's browser ages it by its own clock, so it needs durations instead of
 * instants.
 */
export function LiveMain({
  now,
  timeZone,
  children,
}: {
  now: SharedPresent;
  timeZone: string;
  children: ReactNode;
}) {
  return (
    <main
      className={`is-${now.confidence}`}
      data-delayed-in={now.delayedInMs}
      data-blind-in={now.blindInMs}
    >
      <ConfidenceBar now={now} timeZone={timeZone} />
      {children}
    </main>
  );
}

const CONFIDENCES: readonly Confidence[] = ["live", "delayed", "blind"];

/** Confidence of the live part, with every state that it can reach while the page is open. */
function ConfidenceBar({ now, timeZone }: { now: SharedPresent; timeZone: string }) {
  const { asOfMs, apiNowMs, partnerData } = now;
  const last = asOfMs === null ? words.never : lastCheckText(asOfMs, { nowMs: apiNowMs, timeZone });
  return (
    <>
      <div className="conf" role="status">
        {CONFIDENCES.map((confidence) => (
          <span key={confidence} className={`cstate if-${confidence}`}>
            <ConfidenceIcon confidence={confidence} />
            <b>{CONFIDENCE_LABEL[confidence]}</b>
          </span>
        ))}
        <span className="cstate if-lost">
          <ConfidenceIcon confidence="blind" />
          <b>{words.lostConnection}</b>
        </span>
        <ul>
          {partnerData === null ? null : (
            <li className="if-seen">
              {words.partnerData} <b>{ageRange(partnerData)}</b>
            </li>
          )}
          <li>
            {words.lastCheck} <b>{last}</b>
          </li>
        </ul>
      </div>
      <p className="banner if-delayed">{words.delayed(last)}</p>
      <p className="banner if-blind">{asOfMs === null ? words.neverSeen : words.blind(last)}</p>
      <p
        className="banner if-lost"
        data-text={words.lost(asOfMs === null ? null : last)}
        data-age={asOfMs === null ? 0 : apiNowMs - asOfMs}
      />
    </>
  );
}
