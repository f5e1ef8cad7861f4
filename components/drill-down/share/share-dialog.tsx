"use client";

import { useState } from "react";
import { useLiveCompany } from "@/components/shell/live-company";
import { useZone } from "@/components/shell/time/zone";
import { CopyButton } from "@/components/ui/copy-button";
import Dialog from "@/components/ui/dialog";
import { ChoiceCards } from "@/components/ui/form/choice-cards";
import { Checkbox } from "@/components/ui/form/checkbox";
import { DialogForm } from "@/components/ui/form/dialog-form";
import { Field } from "@/components/ui/form/field";
import { ShownOnce } from "@/components/ui/form/shown-once";
import { Link } from "@/components/ui/link";
import { Segmented } from "@/components/ui/segmented";
import { toClipboard } from "@/components/ui/to-clipboard";
import { useSending } from "@/components/ui/form/use-sending";
import { statusOf } from "@/lib/client/api";
import { makeLink } from "@/lib/client/queries/links";
import { useServerClock } from "@/lib/client/use-now";
import type { MadeLink, Shows } from "@/lib/contracts/links";
import { DEFAULT_DAYS, LONGEST_FOR, OFFERED_DAYS } from "@/lib/domain/links/limits";
import { instantMs } from "@/lib/domain/time/instant";
import { zoneName } from "@/lib/domain/time/zone-name";
import { datedMoment, fullMoment } from "@/lib/domain/words/dates";
import { SHOWN, keptText, shareDialog as words, shareRefusal } from "./words";
import { DAY_MS } from "@/lib/domain/time/units";

/**
 * Creates a share link to a partner or to an incident (its number): what it shows, its audience and
 * its expiry. Shows the link once. Default export for `lazyPart`.
 */
export default function ShareDialog({
  company,
  partnerName,
  incident = null,
  onClose,
}: {
  company: string;
  partnerName: string;
  /** Null: a partner is shared. */
  incident?: number | null;
  onClose: () => void;
}) {
  const timeZone = useZone();
  const clock = useServerClock();
  const [openedMs] = useState(() => clock.nowMs());
  const [shows, setShows] = useState<Shows>("both");
  const [forWhom, setForWhom] = useState("");
  const [days, setDays] = useState<(typeof OFFERED_DAYS)[number]>(DEFAULT_DAYS);
  const [hasDetails, setHasDetails] = useState(false);
  const [made, setMade] = useState<{ link: MadeLink; isCopied: boolean } | null>(null);
  const { confidence, asOf } = useLiveCompany();
  const isBlind = confidence === "blind";
  const keptMs = isBlind ? (instantMs(asOf) ?? openedMs) : openedMs;
  const time = `${datedMoment(keptMs, openedMs, timeZone)} ${zoneName(keptMs, timeZone)}`;

  const {
    isBusy,
    refused: problem,
    send,
  } = useSending(async () => {
    const making = makeLink(company, {
      ...(incident === null ? { partner: partnerName } : { incident }),
      shows,
      days,
      for: forWhom.trim() === "" ? null : forWhom,
      details_in_preview: hasDetails,
    });
    // Some browsers only allow copying within the click that triggers it, so it starts there.
    const copying = toClipboard(making.then(({ url }) => ({ text: url })));
    try {
      const link = await making;
      setMade({ link, isCopied: await copying });
      return null;
    } catch (error) {
      return shareRefusal(statusOf(error), incident !== null);
    }
  });

  if (made !== null)
    return (
      <Dialog
        title={words.madeTitle}
        closeLabel={words.once.close}
        onClose={onClose}
        className="w-[560px]"
        actions={
          <CopyButton look="primary" text={() => made.link.url}>
            {words.once.copy}
          </CopyButton>
        }
      >
        <p role="status">
          {made.isCopied ? words.copied : words.notCopied}{" "}
          {words.made(fullMoment(Date.parse(made.link.expires_at), timeZone))}
        </p>
        <ShownOnce label={words.once.label} value={made.link.url} />
      </Dialog>
    );
  return (
    <DialogForm
      title={incident === null ? words.title : words.incidentTitle}
      sentence={
        incident === null ? words.sentence(partnerName) : words.incidentSentence(partnerName)
      }
      closeLabel={words.cancel}
      save={words.create}
      isBusy={isBusy}
      problem={problem}
      className="w-[560px]"
      onSubmit={() => void send()}
      onClose={onClose}
    >
      <ChoiceCards
        label={words.see}
        name="shows"
        options={SHOWN.map(({ hint, ...shown }) => ({
          ...shown,
          hint: hint(keptText(time, isBlind)),
        }))}
        value={shows}
        onChange={setShows}
      />
      <div className="mt-4 grid grid-cols-2 gap-x-3 max-sm:grid-cols-1">
        <Field
          label={words.for}
          maxLength={LONGEST_FOR}
          autoComplete="off"
          value={forWhom}
          onChange={({ target }) => setForWhom(target.value)}
        />
        <div className="mb-3">
          <p className="text-xs/[18px] font-medium" aria-hidden="true">
            {words.endsAfter}
          </p>
          <Segmented
            label={words.endsAfter}
            value={String(days)}
            options={OFFERED_DAYS.map((value) => ({
              value: String(value),
              label: words.days(value),
            }))}
            onChange={(value) =>
              setDays(OFFERED_DAYS.find((one) => String(one) === value) ?? DEFAULT_DAYS)
            }
            className="mt-[5px] min-h-[38px] align-top"
          />
        </div>
      </div>
      <Checkbox
        label={words.details}
        isLabelShown
        className="mt-1"
        checked={hasDetails}
        onChange={({ target }) => setHasDetails(target.checked)}
      />
      <p className="mt-1 pl-[22px] text-xs text-ink-2">{words.detailsHint}</p>
      <p className="mt-3 text-xs text-ink-2">
        {words.ends(fullMoment(openedMs + days * DAY_MS, timeZone))}{" "}
        <Link href="/settings/links" className="underline">
          {words.links}
        </Link>
        .
      </p>
    </DialogForm>
  );
}
