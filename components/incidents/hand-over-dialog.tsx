"use client";

import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { DateField } from "@/components/shell/time/date-input";
import { useZone } from "@/components/shell/time/zone";
import { Checkbox } from "@/components/ui/form/checkbox";
import Dialog from "@/components/ui/dialog";
import { DialogForm } from "@/components/ui/form/dialog-form";
import { SelectField } from "@/components/ui/form/select-field";
import { useSending } from "@/components/ui/form/use-sending";
import { statusOf } from "@/lib/client/api";
import { handoverQuery, handOver } from "@/lib/client/queries/handover";
import { useServerClock } from "@/lib/client/use-now";
import type { HandoverDone, HandoverView } from "@/lib/contracts/incidents";
import { addDays, dayOf, localTimeMs } from "@/lib/domain/time/day";
import { iso } from "@/lib/domain/time/instant";
import { fullMoment } from "@/lib/domain/words/dates";
import { handOverRefusal, handOverWords as words } from "./words";

/** Start of the working day, when a handover ends. */
const MORNING = "09:00";
/** A year, less the hours of a day. */
const LONGEST_DAYS = 364;

/**
 * Hands a person's companies and incidents over to a colleague until a chosen morning. Default
 * export for `lazyPart`.
 */
export default function HandOverDialog({ onClose }: { onClose: () => void }) {
  const { data, isError } = useQuery(handoverQuery());
  const [done, setDone] = useState<HandoverDone | null>(null);
  const timeZone = useZone();
  if (done !== null) {
    return (
      <Dialog title={words.doneTitle} closeLabel={words.close} onClose={onClose}>
        <p>
          {words.done(done.to.name, fullMoment(Date.parse(done.until), timeZone), {
            companies: done.companies.length,
            incidents: done.incidents,
          })}
        </p>
      </Dialog>
    );
  }
  if (data !== undefined && data.companies.length > 0) {
    return <HandOverForm view={data} onClose={onClose} onDone={setDone} />;
  }
  return (
    <Dialog title={words.title} closeLabel={words.close} onClose={onClose}>
      <p role="status">
        {data !== undefined ? words.nothing : isError ? words.away : words.loading}
      </p>
    </Dialog>
  );
}

function HandOverForm({
  view: { companies, people },
  onClose,
  onDone,
}: {
  view: HandoverView;
  onClose: () => void;
  onDone: (done: HandoverDone) => void;
}) {
  const timeZone = useZone();
  const clock = useServerClock();
  const client = useQueryClient();
  const [openedMs] = useState(() => clock.nowMs());
  const today = dayOf(openedMs, timeZone);
  const tomorrow = addDays(today, 1);
  const [kept, setKept] = useState<ReadonlySet<string>>(new Set());
  const [to, setTo] = useState("");
  const [day, setDay] = useState(tomorrow);

  const given = companies.filter(({ slug }) => !kept.has(slug));
  const able = people.filter((person) =>
    given.every(({ slug }) => person.companies.includes(slug)),
  );
  const untilMs = localTimeMs(`${day}T${MORNING}`, timeZone);
  const {
    isBusy,
    refused: problem,
    send,
  } = useSending(async () => {
    if (untilMs === null) return null;
    const scope = kept.size === 0 ? "mine" : given.map(({ slug }) => slug);
    try {
      onDone(await handOver(client, { companies: scope, to, until: iso(untilMs) }));
      return null;
    } catch (error) {
      return handOverRefusal(statusOf(error));
    }
  });
  return (
    <DialogForm
      title={words.title}
      sentence={words.sentence}
      closeLabel={words.cancel}
      save={words.submit}
      isBusy={isBusy}
      isDisabled={given.length === 0 || able.length === 0}
      problem={problem}
      onSubmit={() => void send()}
      onClose={onClose}
    >
      <fieldset className="mb-4">
        <legend className="mb-[5px] text-xs font-medium">{words.what}</legend>
        <div className="max-h-[40vh] overflow-y-auto border border-line-strong px-2.5 py-1.5">
          {companies.map((company) => (
            <Checkbox
              key={company.slug}
              label={words.company(company.name, company.is_owner, company.open_incidents)}
              isLabelShown
              className="min-h-7 max-sm:min-h-11"
              checked={!kept.has(company.slug)}
              onChange={({ target: { checked } }) => {
                const next = new Set(kept);
                if (checked) next.delete(company.slug);
                else next.add(company.slug);
                setKept(next);
              }}
            />
          ))}
        </div>
      </fieldset>
      <div className="grid grid-cols-2 gap-x-3 max-sm:grid-cols-1">
        <SelectField
          label={words.to}
          name="to"
          required
          data-missing={words.toMissing}
          value={able.some(({ id }) => id === to) ? to : ""}
          onChange={({ target }) => setTo(target.value)}
        >
          <option value="" disabled>
            {able.length === 0 ? words.noOne : words.choose}
          </option>
          {able.map(({ id, name }) => (
            <option key={id} value={id}>
              {name}
            </option>
          ))}
        </SelectField>
        <DateField
          label={words.until}
          name="until"
          kind="date"
          required
          min={tomorrow}
          max={addDays(today, LONGEST_DAYS)}
          value={day}
          onChange={setDay}
        />
      </div>
      <p className="text-xs text-ink-2">
        {untilMs === null ? null : words.back(fullMoment(untilMs, timeZone))}
      </p>
    </DialogForm>
  );
}
