"use client";

import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useState, type FormEvent } from "react";
import { useZone } from "@/components/shell/zone";
import { Button } from "@/components/ui/button";
import { Checkbox } from "@/components/ui/checkbox";
import Dialog from "@/components/ui/dialog";
import { Field } from "@/components/ui/field";
import { SelectField } from "@/components/ui/select-field";
import { statusOf } from "@/lib/client/api";
import { handoverQuery, handOver } from "@/lib/client/queries/handover";
import { useServerClock } from "@/lib/client/use-now";
import type { HandoverDone, HandoverView } from "@/lib/contracts/incidents";
import { dayOf, localTimeMs } from "@/lib/domain/time/day";
import { absoluteTime } from "@/lib/domain/words/format";
import { handOverRefusal, handOverWords as words } from "./words";

const FORM = "hand-over-form";
const DAY_MS = 24 * 3_600_000;
/** When a working day begins: what was handed over comes back then. */
const MORNING = "09:00";
/** A year, less the hours of a day. */
const LONGEST_DAYS = 364;

/** Hands what is mine to a colleague until a morning. Default export for `lazy`. */
export default function HandOverDialog({ onClose }: { onClose: () => void }) {
  const { data, isError } = useQuery(handoverQuery());
  const [done, setDone] = useState<HandoverDone | null>(null);
  const timeZone = useZone();
  if (done !== null) {
    return (
      <Dialog title={words.doneTitle} closeLabel={words.close} onClose={onClose}>
        <p>
          {words.done(done.to.name, absoluteTime(Date.parse(done.until), timeZone), {
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
  const tomorrow = dayOf(openedMs + DAY_MS, timeZone);
  const [kept, setKept] = useState<ReadonlySet<string>>(new Set());
  const [to, setTo] = useState("");
  const [day, setDay] = useState(tomorrow);
  const [isBusy, setIsBusy] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);

  const given = companies.filter(({ slug }) => !kept.has(slug));
  const able = people.filter((person) =>
    given.every(({ slug }) => person.companies.includes(slug)),
  );
  const untilMs = localTimeMs(`${day}T${MORNING}`, timeZone);
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (isBusy || untilMs === null) return;
    setIsBusy(true);
    setProblem(null);
    try {
      const until = new Date(untilMs).toISOString();
      const asked = kept.size === 0 ? "mine" : given.map(({ slug }) => slug);
      onDone(await handOver(client, { companies: asked, to, until }));
    } catch (error) {
      setProblem(handOverRefusal(statusOf(error)));
      setIsBusy(false);
    }
  };
  return (
    <Dialog
      title={words.title}
      closeLabel={words.cancel}
      onClose={onClose}
      className="w-[480px]"
      actions={
        <Button
          type="submit"
          form={FORM}
          look="primary"
          disabled={isBusy || given.length === 0 || able.length === 0}
        >
          {words.submit}
        </Button>
      }
    >
      <p className="-mt-2 mb-4">{words.sentence}</p>
      <form id={FORM} className="text-ink" onSubmit={(event) => void submit(event)}>
        <fieldset className="mb-4">
          <legend className="mb-[5px] text-xs font-medium">{words.what}</legend>
          <div className="max-h-[40vh] overflow-y-auto border border-line-strong px-2.5 py-1.5">
            {companies.map((company) => (
              <Checkbox
                key={company.slug}
                label={words.company(company.name, company.is_owner, company.open_incidents)}
                isLabelShown
                className="min-h-7 justify-start max-sm:min-h-11"
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
            required
            value={able.some(({ id }) => id === to) ? to : ""}
            onChange={({ target }) => setTo(target.value)}
          >
            <option value="" disabled>
              {able.length === 0 ? words.nobody : words.choose}
            </option>
            {able.map(({ id, name }) => (
              <option key={id} value={id}>
                {name}
              </option>
            ))}
          </SelectField>
          <Field
            label={words.until}
            type="date"
            required
            min={tomorrow}
            max={dayOf(openedMs + LONGEST_DAYS * DAY_MS, timeZone)}
            value={day}
            onChange={({ target }) => setDay(target.value)}
          />
        </div>
        <p className="text-xs text-ink-2">
          {untilMs === null ? null : words.back(absoluteTime(untilMs, timeZone))}
        </p>
        <p role="alert" className="mt-2 text-xs text-failing-text empty:hidden">
          {problem}
        </p>
      </form>
    </Dialog>
  );
}
