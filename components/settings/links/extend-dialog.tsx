"use client";

import { useState } from "react";
import ConfirmDialog from "@/components/resource/confirm-dialog";
import type { Refused } from "@/components/session/refused";
import { useZone } from "@/components/shell/time/zone";
import { Segmented } from "@/components/ui/segmented";
import { useServerClock } from "@/lib/client/use-now";
import type { LinkEntry } from "@/lib/contracts/links";
import { DAY_MS } from "@/lib/domain/time/units";
import { fullMoment } from "@/lib/domain/words/dates";
import { extendDialog as words, sharedText } from "./words";

const DAYS = ["1", "7", "30"] as const;

/**
 * Extends a share link. Default export for `lazyPart`.
 * @param onExtend resolves to null on success, else to the reason
 */
export default function ExtendDialog({
  link,
  onExtend,
  onClose,
}: {
  link: LinkEntry;
  onExtend: (days: number) => Promise<Refused | null>;
  onClose: () => void;
}) {
  const timeZone = useZone();
  const clock = useServerClock();
  const [openedMs] = useState(() => clock.nowMs());
  const [days, setDays] = useState<(typeof DAYS)[number]>("7");
  return (
    <ConfirmDialog
      title={words.title(sharedText(link))}
      keep={words.keep}
      act={words.extend}
      isHarmless
      onDo={() => onExtend(Number(days))}
      onClose={onClose}
    >
      <Segmented
        label={words.label}
        value={days}
        options={DAYS.map((value) => ({ value, label: words.days(Number(value)) }))}
        onChange={setDays}
        className="mt-1"
      />
      <p className="mt-3">{words.ends(fullMoment(openedMs + Number(days) * DAY_MS, timeZone))}</p>
    </ConfirmDialog>
  );
}
