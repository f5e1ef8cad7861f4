"use client";

import { useRouter } from "next/navigation";
import { useState } from "react";
import { useZone } from "@/components/shell/time/zone";
import { Button } from "@/components/ui/button";
import { resume } from "@/lib/client/resume";
import type { Pausable, Paused } from "@/lib/domain/pause";
import { leadOf, RESUME_FAILED, resumeLabel, restoredSentence, waitSentence } from "./words";

/** What is paused after a restore, on settings pages; empty without any. */
export function PausedBanner({
  paused,
  mayResume,
}: {
  paused: readonly Paused[];
  mayResume: boolean;
}) {
  const router = useRouter();
  const timeZone = useZone();
  const [resuming, setResuming] = useState<Pausable | null>(null);
  const [hasFailed, setHasFailed] = useState(false);
  const [first] = paused;
  if (first === undefined) return null;
  const whats = paused.map(({ what }) => what);
  const go = async (what: Pausable) => {
    setResuming(what);
    setHasFailed(false);
    try {
      await resume(what);
      router.refresh();
    } catch {
      setHasFailed(true);
    } finally {
      setResuming(null);
    }
  };
  return (
    <div className="banner" role="status">
      <p>
        <strong>{leadOf(whats)}</strong> {restoredSentence(first.backupAtMs, timeZone)}{" "}
        {waitSentence(whats, mayResume)}
        {hasFailed ? ` ${RESUME_FAILED}` : ""}
      </p>
      {mayResume
        ? whats.map((what) => (
            <Button
              key={what}
              className="bg-surface"
              disabled={resuming !== null}
              onClick={() => void go(what)}
            >
              {resumeLabel(what)}
            </Button>
          ))
        : null}
    </div>
  );
}
