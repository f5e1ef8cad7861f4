"use client";

import { useEffect, useRef, useState, type FormEvent, type ReactNode } from "react";
import { DateField } from "@/components/shell/time/date-input";
import { useZone } from "@/components/shell/time/zone";
import { Button } from "@/components/ui/button";
import { Checkbox } from "@/components/ui/form/checkbox";
import { Field } from "@/components/ui/form/field";
import { formProblem, FormFields, type FormProblem } from "@/components/ui/form/field-problem";
import type { NamedProblem } from "@/components/ui/form/typed-input";
import { SelectField } from "@/components/ui/form/select-field";
import { ZoneButton } from "@/components/shell/time/zone-button";
import { useServerClock } from "@/lib/client/use-now";
import type { Display, DisplaySettings } from "@/lib/contracts/wall";
import { isWholeCode } from "@/lib/domain/pairing-code";
import { dateAndTime } from "@/lib/domain/words/dates";
import { CodeField } from "./code-field";
import {
  dayRange,
  draftOf,
  ENDS,
  hasEnd,
  newDraft,
  settingsOf,
  type Draft,
  type End,
} from "./draft";
import { codeWords, fieldWords, formButtons, lacks } from "./words";

/** Purpose of the form: pair a screen as a new display or as a replacement, or change a display. */
export type FormUse =
  | { kind: "pair"; replaces: Display | null }
  | { kind: "change"; display: Display };

export type Company = { slug: string; name: string };

/**
 * Configures what a screen may show. Needs a `key` by use, so that another use starts with fresh fields.
 * @param code a `typedCode` of the screen to pair
 * @param replaceable displays whose screen may be replaced
 * @param isWanted opened by a person: takes the focus
 */
export function DisplayForm({
  use,
  code,
  companies,
  replaceable,
  isWanted,
  onCode,
  onSend,
  onReplace,
  onCancel,
}: {
  use: FormUse;
  code: string;
  companies: readonly Company[];
  replaceable: readonly Display[];
  isWanted: boolean;
  onCode: (code: string) => void;
  /** Resolves to null on success, else to the reason. */
  onSend: (settings: DisplaySettings) => Promise<FormProblem | null>;
  onReplace: (display: Display | null) => void;
  onCancel: () => void;
}) {
  const timeZone = useZone();
  const clock = useServerClock();
  const display = use.kind === "pair" ? use.replaces : use.display;
  const [written, setDraft] = useState<Draft>(() =>
    display === null ? newDraft(timeZone) : draftOf(display, clock.nowMs()),
  );
  // The page may render before the person's time zone is known.
  const [isZoneChosen, setIsZoneChosen] = useState(display !== null);
  const draft = isZoneChosen ? written : { ...written, time_zone: timeZone };
  const [isBusy, setIsBusy] = useState(false);
  const [problem, setProblem] = useState<FormProblem | null>(null);
  const box = useRef<HTMLFormElement>(null);
  useEffect(() => {
    if (!isWanted) return;
    box.current?.scrollIntoView({ block: "nearest" });
    box.current?.querySelector("input")?.focus();
  }, [isWanted]);
  const change = (changes: Partial<Draft>) => {
    setDraft({ ...draft, ...changes });
    if (changes.time_zone !== undefined) setIsZoneChosen(true);
  };
  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = event.currentTarget;
    if (isBusy) return;
    // A field with invalid text keeps its last valid day in the draft.
    const day = form.elements.namedItem("day");
    const isDayWrong = day instanceof HTMLInputElement && !day.validity.valid;
    const nowMs = clock.nowMs();
    const wrong = formProblem([
      ...(use.kind === "pair" && !isWholeCode(code)
        ? [{ field: "code", problem: codeWords.wrongLength }]
        : []),
      ...lacksOf(draft, nowMs, timeZone),
      ...(isDayWrong ? [{ field: "day", problem: lacks.day }] : []),
    ]);
    const settings = settingsOf(draft, nowMs, timeZone);
    if (wrong !== null || settings === null) {
      setProblem(wrong);
      return;
    }
    setIsBusy(true);
    setProblem(null);
    const next = await onSend(settings);
    setIsBusy(false);
    setProblem(next);
    // Resets the form for the next display.
    if (next === null && display === null) {
      setDraft(newDraft(timeZone));
      setIsZoneChosen(false);
    }
  };
  return (
    <form
      ref={box}
      className="grid max-w-[1100px] grid-cols-4 gap-x-4 max-md:grid-cols-2 max-sm:grid-cols-1"
      onSubmit={(event) => void submit(event)}
      // We show our own messages for missing values.
      noValidate
    >
      <FormFields problem={problem} className="col-span-full">
        {use.kind === "change" ? null : <CodeField code={code} onChange={onCode} />}
        <Field
          label={fieldWords.name}
          name="name"
          required
          maxLength={60}
          autoComplete="off"
          placeholder={fieldWords.nameExample}
          value={draft.name}
          onChange={(event) => change({ name: event.target.value })}
        />
        <Field
          label={fieldWords.place}
          name="place"
          maxLength={60}
          autoComplete="off"
          placeholder={fieldWords.placeExample}
          value={draft.place}
          onChange={(event) => change({ place: event.target.value })}
        />
        {use.kind === "change" || replaceable.length === 0 ? null : (
          <ReplacesField replaces={use.replaces} replaceable={replaceable} onReplace={onReplace} />
        )}
        <ScreenFields draft={draft} timeZone={timeZone} onChange={change} />
        <EndFields draft={draft} onChange={change} />
        <div className="mb-3">
          <Checkbox
            isLabelShown
            label={fieldWords.showsPeople}
            checked={draft.shows_people === true}
            onChange={({ target }) => change({ shows_people: target.checked })}
          />
        </div>
        <CompaniesField
          companies={companies}
          chosen={draft.companies}
          onChange={(next) => change({ companies: next })}
        />
      </FormFields>
      <footer className="col-span-full flex flex-wrap items-center justify-end gap-2">
        {display === null ? null : (
          <Button className={WIDE} onClick={onCancel} isBusy={isBusy}>
            {formButtons.cancel}
          </Button>
        )}
        <Button type="submit" look="primary" className={WIDE} isBusy={isBusy}>
          {use.kind === "change" ? formButtons.save : formButtons.pair}
        </Button>
      </footer>
    </form>
  );
}

function ReplacesField({
  replaces,
  replaceable,
  onReplace,
}: {
  replaces: Display | null;
  replaceable: readonly Display[];
  onReplace: (display: Display | null) => void;
}) {
  return (
    <SelectField
      label={fieldWords.replaces}
      value={replaces?.id ?? ""}
      onChange={({ target }) =>
        onReplace(replaceable.find(({ id }) => id === target.value) ?? null)
      }
    >
      <option value="">{fieldWords.replacesNone}</option>
      {replaceable.map(({ id, name }) => (
        <option key={id} value={id}>
          {name}
        </option>
      ))}
    </SelectField>
  );
}

/** How the screen shows it: layout, theme and time zone. */
function ScreenFields({
  draft,
  timeZone,
  onChange,
}: {
  draft: Draft;
  timeZone: string;
  onChange: (changes: Partial<Draft>) => void;
}) {
  return (
    <>
      <SelectField
        label={fieldWords.layout}
        value={draft.layout}
        onChange={({ target }) => onChange({ layout: target.value as Draft["layout"] })}
      >
        <option value="auto">{fieldWords.auto}</option>
        <option value="landscape">{fieldWords.landscape}</option>
        <option value="portrait">{fieldWords.portrait}</option>
      </SelectField>
      <SelectField
        label={fieldWords.theme}
        value={draft.theme}
        onChange={({ target }) => onChange({ theme: target.value as Draft["theme"] })}
      >
        <option value="dark">{fieldWords.dark}</option>
        <option value="light">{fieldWords.light}</option>
      </SelectField>
      <div className="mb-3">
        <span aria-hidden="true" className="text-xs font-medium">
          {fieldWords.zone}
        </span>
        <ZoneButton
          label={fieldWords.zone}
          value={draft.time_zone}
          own={timeZone}
          onChange={(zone) => onChange({ time_zone: zone })}
          className="mt-[5px] h-[38px] w-full px-2.5 max-sm:h-11"
        />
      </div>
    </>
  );
}

/** On a phone. */
const WIDE = "max-sm:shrink-0 max-sm:grow";

const END_LABEL: Readonly<Record<Exclude<End, "kept">, string>> = {
  never: fieldWords.never,
  "30": fieldWords.days30,
  "365": fieldWords.days365,
  day: fieldWords.day,
};

function EndFields({
  draft: { end, day, keptUntil },
  onChange,
}: {
  draft: Draft;
  onChange: (changes: Partial<Draft>) => void;
}): ReactNode {
  const timeZone = useZone();
  const clock = useServerClock();
  return (
    <>
      <SelectField
        label={fieldWords.end}
        name="end"
        value={end}
        onChange={({ target }) => onChange({ end: target.value as End })}
      >
        {ENDS.map((choice) => {
          if (choice !== "kept") {
            return (
              <option key={choice} value={choice}>
                {END_LABEL[choice]}
              </option>
            );
          }
          return keptUntil === null ? null : (
            <option key={choice} value={choice}>
              {fieldWords.kept(dateAndTime(Date.parse(keptUntil), timeZone))}
            </option>
          );
        })}
      </SelectField>
      {end === "day" ? (
        <DateField
          label={fieldWords.lastDay}
          name="day"
          kind="date"
          required
          {...dayRange(clock.nowMs(), timeZone)}
          value={day}
          onChange={(chosen) => onChange({ day: chosen })}
        />
      ) : null}
    </>
  );
}

const COMPANY = "min-h-7 max-sm:min-h-11";

/** All companies, including future ones, or a selection. */
function CompaniesField({
  companies,
  chosen,
  onChange,
}: {
  companies: readonly Company[];
  chosen: readonly string[] | null;
  onChange: (chosen: string[] | null) => void;
}) {
  // A company without a connection remains selected until it is removed.
  const gone = (chosen ?? []).filter((slug) => !companies.some((company) => company.slug === slug));
  const choices = [...companies, ...gone.map((slug) => ({ slug, name: slug }))];
  return (
    <fieldset className="col-span-full mb-3 flex flex-wrap gap-x-5 gap-y-1 max-sm:flex-col max-sm:gap-0">
      <legend className="mb-[3px] text-xs font-medium">{fieldWords.shows}</legend>
      <Checkbox
        isLabelShown
        className={COMPANY}
        label={fieldWords.allCompanies}
        checked={chosen === null}
        onChange={({ target }) => onChange(target.checked ? null : companies.map(slugOf))}
      />
      {chosen === null
        ? null
        : choices.map(({ slug, name }) => (
            <Checkbox
              key={slug}
              isLabelShown
              className={COMPANY}
              label={name}
              checked={chosen.includes(slug)}
              onChange={({ target }) =>
                onChange(
                  choices
                    .map(slugOf)
                    .filter((one) => (one === slug ? target.checked : chosen.includes(one))),
                )
              }
            />
          ))}
    </fieldset>
  );
}

function slugOf({ slug }: { slug: string }): string {
  return slug;
}

/** What is missing in a draft or isn't valid, in the order of the form. */
function lacksOf(draft: Draft, nowMs: number, timeZone: string): NamedProblem[] {
  const { name, companies, end } = draft;
  const ofEnd = end === "day" ? "day" : "end";
  return [
    ...(name.trim() === "" ? [{ problem: lacks.name, field: "name" }] : []),
    ...(companies?.length === 0 ? [{ problem: lacks.company, field: "companies" }] : []),
    ...(hasEnd(draft, nowMs, timeZone) ? [] : [{ problem: lacks[ofEnd], field: ofEnd }]),
  ];
}
