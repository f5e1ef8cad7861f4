"use client";

import { useLiveCompany } from "@/components/shell/live-company";
import { LeftBanner } from "./left-banner";
import { RecordingBanner } from "./recording-banner";
import { TroubleBanner } from "./trouble";

/** One banner while there is no new data. */
export function UpstreamBanner() {
  const { name, asOf, source, confidence, silence } = useLiveCompany();
  const left = source.left ?? null;
  const stopped = source.recording_stopped ?? null;
  // A company that left gets no new data anyway; only this browser's silence is reported in
  // addition.
  if (left !== null)
    return (
      <>
        <LeftBanner name={name} hasHistory={asOf !== null} {...left} />
        {silence === null ? null : <TroubleBanner otherwise={null} />}
      </>
    );
  const recording = stopped === null ? null : <RecordingBanner {...stopped} />;
  const isTroubled = confidence !== "live" || silence !== null || source.reason !== null;
  return isTroubled ? <TroubleBanner otherwise={recording} /> : recording;
}
