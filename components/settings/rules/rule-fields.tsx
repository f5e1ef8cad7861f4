"use client";

import { useId, type ReactNode } from "react";
import { AllOrSomeField, companyOptions } from "@/components/resource/all-or-some-field";
import { TimeInput } from "@/components/shell/time/time-input";
import { useZone } from "@/components/shell/time/zone";
import { ZoneButton } from "@/components/shell/time/zone-button";
import {
  FieldProblem,
  invalidControl,
  useFieldProblems,
  wrongField,
} from "@/components/ui/form/field-problem";
import { Checkbox } from "@/components/ui/form/checkbox";
import { Segmented } from "@/components/ui/segmented";
import type { RuleFields as Fields } from "@/lib/client/queries/rules";
import { WEEKDAYS } from "@/lib/domain/time/weekdays";
import { DaysField } from "./days-field";
import {
  PROMISE_CHOICES,
  REMINDERS,
  VERDICT_CHOICES,
  formWords as words,
  reminderText,
} from "./words";

/** Of an input or a select in a row. */
export const FIELD =
  "h-[30px] rounded border border-control bg-surface px-2 text-ink aria-invalid:border-failing-mark disabled:border-line-strong disabled:bg-sunken disabled:text-ink-3 max-sm:h-11";

const MINUTES_OF_A_WEEK = 10_080;

/**
 * Fields shared by rules and personal alerts: what is sent, and when.
 * @param partners current names; other selected ones remain until removed
 * @param onlyMore additional filters
 * @param destinations their fields, between what and when
 */
export function RuleFields({
  fields,
  companies,
  partners,
  onChange,
  onlyMore,
  destinations,
}: {
  fields: Fields;
  companies: readonly { slug: string; name: string }[];
  partners: readonly string[];
  onChange: (changes: Partial<Fields>) => void;
  onlyMore?: ReactNode;
  destinations: ReactNode;
}) {
  return (
    <>
      <FieldRow label={words.companies}>
        <AllOrSomeField
          label={words.companies}
          isLabelElsewhere
          name="companies"
          words={{ ...words, add: words.addCompany }}
          options={companyOptions(companies)}
          chosen={fields.companies}
          onChange={(chosen) => onChange({ companies: chosen })}
        />
      </FieldRow>
      <FieldRow label={words.partners}>
        <AllOrSomeField
          label={words.partners}
          isLabelElsewhere
          name="partners"
          words={{ ...words, add: words.addPartner }}
          options={partners.map((name) => ({ value: name, label: name }))}
          chosen={fields.partners}
          onChange={(chosen) => onChange({ partners: chosen })}
        />
      </FieldRow>
      <TriggerRow fields={fields} onChange={onChange} />
      <FieldRow label={words.only}>
        <Checkbox
          isLabelShown
          label={words.unacknowledged}
          className="min-h-7 max-sm:min-h-11"
          checked={fields.unacknowledged_only}
          onChange={({ target }) => onChange({ unacknowledged_only: target.checked })}
        />
        {onlyMore}
      </FieldRow>
      {destinations}
      <ReminderRow fields={fields} onChange={onChange} />
      <FieldRow label={words.promises} hint={words.promisesHint}>
        <Segmented
          label={words.promises}
          value={fields.promises}
          options={PROMISE_CHOICES}
          onChange={(promises) => onChange({ promises })}
        />
      </FieldRow>
      <QuietRow fields={fields} onChange={onChange} />
      <BriefRow fields={fields} onChange={onChange} />
    </>
  );
}

type RowProps = { fields: Fields; onChange: (changes: Partial<Fields>) => void };

/** From which verdict on, and after how long. */
function TriggerRow({ fields, onChange }: RowProps) {
  const minutesId = useId();
  const { after_minutes: after } = fields;
  return (
    <FieldRow label={words.when} names={["minutes"]}>
      {(control) => (
        <>
          <Segmented
            label={words.when}
            value={fields.from_verdict}
            options={VERDICT_CHOICES}
            onChange={(verdict) => onChange({ from_verdict: verdict })}
          />
          <label htmlFor={minutesId} className="text-ink-2">
            {words.orWorse}
          </label>
          <input
            {...control("minutes")}
            id={minutesId}
            type="number"
            inputMode="numeric"
            min={0}
            max={MINUTES_OF_A_WEEK}
            step={1}
            aria-label={words.minutesLabel}
            className={`w-[84px] ${FIELD}`}
            value={Number.isNaN(after) ? "" : after}
            onChange={({ target }) => onChange({ after_minutes: target.valueAsNumber })}
          />
          <span className="text-ink-2">{words.minutes}</span>
        </>
      )}
    </FieldRow>
  );
}

function ReminderRow({ fields: { remind_every_minutes: every }, onChange }: RowProps) {
  const reminders = [...new Set([...REMINDERS, ...(every === null ? [] : [every])])];
  return (
    <FieldRow label={words.remind}>
      <Checkbox
        isLabelShown
        label={words.every}
        aria-label={`${words.remind} ${words.every}`}
        className="min-h-7 max-sm:min-h-11"
        checked={every !== null}
        onChange={({ target }) => onChange({ remind_every_minutes: target.checked ? 240 : null })}
      />
      <select
        aria-label={words.remind}
        disabled={every === null}
        className={`w-[92px] ${FIELD}`}
        value={every ?? 240}
        onChange={({ target }) => onChange({ remind_every_minutes: Number(target.value) })}
      >
        {reminders
          .toSorted((a, b) => a - b)
          .map((minutes) => (
            <option key={minutes} value={minutes}>
              {reminderText(minutes)}
            </option>
          ))}
      </select>
      <span className="text-ink-2">{words.until}</span>
    </FieldRow>
  );
}

/** When nothing is sent. */
function QuietRow({ fields: { quiet }, onChange }: RowProps) {
  const timeZone = useZone();
  return (
    <FieldRow label={words.quiet} hint={words.quietHint} names={["quiet days", "quiet hours"]}>
      {(control) => (
        <>
          <Checkbox
            isLabelShown
            label={words.quietOn}
            className="min-h-7 max-sm:min-h-11"
            checked={quiet !== null}
            onChange={({ target }) =>
              onChange({
                quiet: target.checked
                  ? { days: [...WEEKDAYS], from: "22:00", until: "06:00", time_zone: timeZone }
                  : null,
              })
            }
          />
          {quiet === null ? null : (
            <>
              <DaysField
                label={words.quietDays}
                days={quiet.days}
                onChange={(days) => onChange({ quiet: { ...quiet, days } })}
              />
              <TimeInput
                {...control("quiet hours")}
                className={`pointer-fine:w-[84px] ${FIELD}`}
                aria-label={`${words.quiet}: ${words.from}`}
                value={quiet.from}
                onChange={(from) => onChange({ quiet: { ...quiet, from } })}
              />
              <span className="text-ink-2">{words.to.toLowerCase()}</span>
              <TimeInput
                {...control("quiet hours")}
                className={`pointer-fine:w-[84px] ${FIELD}`}
                aria-label={`${words.quiet}: ${words.to}`}
                isEnd
                value={quiet.until}
                onChange={(until) => onChange({ quiet: { ...quiet, until } })}
              />
              <ZoneButton
                label={`${words.quiet}: ${words.zone}`}
                value={quiet.time_zone}
                own={timeZone}
                onChange={(zone) => onChange({ quiet: { ...quiet, time_zone: zone } })}
                className="h-[30px] w-[150px] px-2 max-sm:h-11"
              />
            </>
          )}
        </>
      )}
    </FieldRow>
  );
}

function BriefRow({ fields: { brief }, onChange }: RowProps) {
  const timeZone = useZone();
  return (
    <FieldRow label={words.brief} hint={words.briefHint} names={["brief days", "brief time"]}>
      {(control) => (
        <>
          <Checkbox
            isLabelShown
            label={words.briefOn}
            className="min-h-7 max-sm:min-h-11"
            checked={brief !== null}
            onChange={({ target }) =>
              onChange({
                brief: target.checked
                  ? { days: WEEKDAYS.slice(0, 5), at: "08:00", time_zone: timeZone }
                  : null,
              })
            }
          />
          {brief === null ? null : (
            <>
              <DaysField
                label={words.briefDays}
                days={brief.days}
                onChange={(days) => onChange({ brief: { ...brief, days } })}
              />
              <span className="text-ink-2">{words.at.toLowerCase()}</span>
              <TimeInput
                {...control("brief time")}
                className={`pointer-fine:w-[84px] ${FIELD}`}
                aria-label={`${words.brief}: ${words.at}`}
                value={brief.at}
                onChange={(at) => onChange({ brief: { ...brief, at } })}
              />
              <ZoneButton
                label={`${words.brief}: ${words.zone}`}
                value={brief.time_zone}
                own={timeZone}
                onChange={(zone) => onChange({ brief: { ...brief, time_zone: zone } })}
                className="h-[30px] w-[150px] px-2 max-sm:h-11"
              />
            </>
          )}
        </>
      )}
    </FieldRow>
  );
}

const NO_NAMES: readonly string[] = [];

/**
 * A labelled row of the form.
 * @param names of its fields; what is wrong with one of them is below them
 * @param children given the attributes of the control of a field
 */
export function FieldRow({
  label,
  hint,
  names = NO_NAMES,
  children,
}: {
  label: string;
  hint?: string;
  names?: readonly string[];
  children: ReactNode | ((control: (name: string) => { name: string }) => ReactNode);
}) {
  const id = useId();
  const [wrong = null] = useFieldProblems(names);
  const control = (name: string) => ({
    name,
    ...(wrong?.field === name && invalidControl(id)),
  });
  return (
    <div className="grid grid-cols-[132px_minmax(0,1fr)] gap-x-4 gap-y-1 border-t border-line py-2.5 first:border-t-0 max-sm:grid-cols-1">
      <span className="pt-1.5 text-xs/4.5 font-medium max-sm:pt-0" aria-hidden="true">
        {label}
      </span>
      <div
        className="flex flex-wrap items-center gap-x-2.5 gap-y-1.5"
        role="group"
        aria-label={label}
        {...wrongField(wrong)}
        aria-describedby={wrong === null ? undefined : `${id}-problem`}
      >
        {typeof children === "function" ? children(control) : children}
        {wrong === null ? null : (
          <FieldProblem id={id} className="flex-[1_0_100%]">
            {wrong.problem}
          </FieldProblem>
        )}
        {hint === undefined ? null : <p className="flex-[1_0_100%] text-xs text-ink-2">{hint}</p>}
      </div>
    </div>
  );
}
