"use client";

import { useState } from "react";
import ConfirmDialog from "@/components/resource/confirm-dialog";
import type { Refused } from "@/components/session/refused";
import { useZone } from "@/components/shell/time/zone";
import AlertDialog from "@/components/ui/alert-dialog";
import { Segmented } from "@/components/ui/segmented";
import { useServerClock } from "@/lib/client/use-now";
import type { LinkEntry } from "@/lib/contracts/links";
import { fullMoment } from "@/lib/domain/words/dates";
import { laterExpiries } from "./later-expiries";
import { extendDialog as words, sharedText } from "./words";

/**
 * Extends a share link: offers only what is later than its expiry. Default export for `lazyPart`.
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
  const expiresMs = Date.parse(link.expires_at);
  const [{ offered, usual }] = useState(() => laterExpiries(expiresMs, clock.nowMs()));
  const [days, setDays] = useState(usual?.days);
  const chosen = offered.find((one) => one.days === days);
  const title = words.title(sharedText(link));
  const present = words.present(fullMoment(expiresMs, timeZone));
  if (chosen === undefined)
    return (
      <AlertDialog title={title} closeLabel={words.close} onClose={onClose} isStatement>
        <p className="mt-2 text-ink-2">
          {present} {words.latest}
        </p>
      </AlertDialog>
    );
  return (
    <ConfirmDialog
      title={title}
      keep={words.keep}
      act={words.extend}
      isHarmless
      onDo={() => onExtend(chosen.days)}
      onClose={onClose}
    >
      <p className="mb-3">{present}</p>
      {offered.length === 1 ? null : (
        <Segmented
          label={words.label}
          value={String(chosen.days)}
          options={offered.map((one) => ({ value: String(one.days), label: words.days(one.days) }))}
          onChange={(value) => setDays(Number(value))}
        />
      )}
      <p className="mt-3">
        {words.ends(fullMoment(chosen.endMs, timeZone))}
        {offered.length === 1 ? ` ${words.only(words.days(chosen.days))}` : null}
      </p>
    </ConfirmDialog>
  );
}
