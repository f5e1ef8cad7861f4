"use client";

import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useLiveCompany } from "@/components/shell/live-company";
import { useZone } from "@/components/shell/time/zone";
import { Button } from "@/components/ui/button";
import { resumeDeletions } from "@/lib/client/queries/deletion";
import { deletionsQuery, isOpen } from "@/lib/client/queries/deletions";
import { pauseSentences, RESUME, RESUME_FAILED } from "./words";

/** A banner while deletions are paused after a restore. */
export function PausedDeletions({ mayResume }: { mayResume: boolean }) {
  const { slug } = useLiveCompany();
  const client = useQueryClient();
  const timeZone = useZone();
  const { data } = useQuery(deletionsQuery(slug));
  const [state, setState] = useState<"idle" | "resuming" | "failed">("idle");
  const paused = data?.paused ?? null;
  const open = data?.deletions.filter((one) => isOpen(one)).length ?? 0;
  if (paused === null) return null;
  const [lead, ...rest] = pauseSentences(paused, { open, mayResume }, timeZone);
  const resume = async () => {
    setState("resuming");
    try {
      await resumeDeletions(client, slug);
      setState("idle");
    } catch {
      setState("failed");
    }
  };
  return (
    <div className="banner" role="status">
      <p>
        <strong>{lead}</strong> {rest.join(" ")}
        {state === "failed" ? ` ${RESUME_FAILED}` : ""}
      </p>
      {mayResume ? (
        <Button
          className="bg-surface"
          disabled={state === "resuming"}
          onClick={() => void resume()}
        >
          {RESUME}
        </Button>
      ) : null}
    </div>
  );
}
