"use client";

import { Suspense } from "react";
import { later } from "@/components/ui/later";
import { TroubleBanner, useTroubleAhead } from "./later-trouble";
import { useLiveCompany } from "@/components/shell/live-company";

const LeftBanner = later(() => import("./left-banner"));
const RecordingBanner = later(() => import("./recording-banner"));

/** One banner while there is no new data. */
export function UpstreamBanner() {
  const { name, source, confidence, silence } = useLiveCompany();
  useTroubleAhead();
  const left = source.left ?? null;
  if (left !== null) {
    return (
      <Suspense>
        <LeftBanner name={name} {...left} />
      </Suspense>
    );
  }
  const stopped = source.recording_stopped ?? null;
  const recording = stopped === null ? null : <RecordingBanner {...stopped} />;
  const isTroubled = confidence !== "live" || silence !== null || source.reason !== null;
  return <Suspense>{isTroubled ? <TroubleBanner otherwise={recording} /> : recording}</Suspense>;
}
