"use client";

import { useState } from "react";
import { useZone } from "@/components/shell/time/zone";
import AlertDialog from "@/components/ui/alert-dialog";
import { Button } from "@/components/ui/button";
import { Segmented } from "@/components/ui/segmented";
import { useServerClock } from "@/lib/client/use-now";
import type { LinkEntry } from "@/lib/contracts/links";
import { absoluteTime } from "@/lib/domain/words/format";
import { extendDialog, revokeDialog, sharedText } from "./words";
import { DAY_MS } from "@/lib/domain/time/units";

const DAYS = ["1", "7", "30"] as const;

/**
 * Extends a share link or revokes it. Default export for `lazyPart`.
 * @param onExtend null when it was done, else why it was not; `onRevoke` likewise
 */
export default function ChangeDialog({
  act,
  link,
  onExtend,
  onRevoke,
  onClose,
}: {
  act: "extend" | "revoke";
  link: LinkEntry;
  onExtend: (days: number) => Promise<string | null>;
  onRevoke: () => Promise<string | null>;
  onClose: () => void;
}) {
  const timeZone = useZone();
  const clock = useServerClock();
  const [openedMs] = useState(() => clock.nowMs());
  const [days, setDays] = useState<(typeof DAYS)[number]>("7");
  const [isBusy, setIsBusy] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  const words = act === "extend" ? extendDialog : revokeDialog;
  const go = async () => {
    setIsBusy(true);
    setProblem(await (act === "extend" ? onExtend(Number(days)) : onRevoke()));
    setIsBusy(false);
  };
  return (
    <AlertDialog
      title={words.title(sharedText(link))}
      closeLabel={words.keep}
      onClose={onClose}
      isBusy={isBusy}
      actions={
        <Button
          look={act === "extend" ? "primary" : "danger"}
          disabled={isBusy}
          onClick={() => void go()}
        >
          {act === "extend" ? extendDialog.extend : revokeDialog.revoke}
        </Button>
      }
    >
      {act === "revoke" ? (
        <p className="mt-2 text-ink-2">{revokeDialog.sentence}</p>
      ) : (
        <div className="mt-3">
          <Segmented
            label={extendDialog.label}
            value={days}
            options={DAYS.map((value) => ({ value, label: extendDialog.days(Number(value)) }))}
            onChange={setDays}
          />
          <p className="mt-3 text-ink-2">
            {extendDialog.ends(absoluteTime(openedMs + Number(days) * DAY_MS, timeZone))}
          </p>
        </div>
      )}
      {problem === null ? null : (
        <p role="alert" className="mt-3 border-l-2 border-ink pl-3 text-xs">
          {problem}
        </p>
      )}
    </AlertDialog>
  );
}
