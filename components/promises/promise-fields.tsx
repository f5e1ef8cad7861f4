"use client";

import { useMemo, type ComponentProps } from "react";
import { DaysField } from "@/components/settings/rules/days-field";
import { FIELD, FieldRow } from "@/components/settings/rules/rule-fields";
import { useLiveCompany } from "@/components/shell/live-company";
import { DateInput } from "@/components/shell/time/date-input";
import { TimeInput } from "@/components/shell/time/time-input";
import { useZone } from "@/components/shell/time/zone";
import { ZoneButton } from "@/components/shell/time/zone-button";
import { ChipField } from "@/components/ui/form/chip-field";
import { Segmented } from "@/components/ui/segmented";
import { LONGEST_DEADLINE_NOTE, type MonthDay } from "@/lib/domain/deadlines/deadline";
import { compareText } from "@/lib/domain/text/compare-text";
import { monthDayText } from "@/lib/domain/words/deadlines/promise-days";
import type { PromiseDraft } from "./draft";
import { ALL_FEEDS, EVERY_PARTNER, GONE_FEED, examplesOf, formWords as words } from "./words";

type Props = { draft: PromiseDraft; onChange: (changes: Partial<PromiseDraft>) => void };

const TIME = `pointer-fine:w-[74px] ${FIELD}`;
const DATE = `w-[132px] ${FIELD}`;
const MONTH_DAYS: readonly MonthDay[] = [
  ...Array.from({ length: 31 }, (_, at) => at + 1),
  "last",
  "first_workday",
  "last_workday",
];

/** The fields of a promise. @param isNew only then its feeds can be chosen @param today "2026-11-24" */
export function PromiseFields({
  draft,
  isNew,
  today,
  onChange,
}: Props & { isNew: boolean; today: string }) {
  const examples = examplesOf(today, draft.by);
  return (
    <>
      <SubjectRow draft={draft} isNew={isNew} onChange={onChange} />
      <TimeRow draft={draft} onChange={onChange} />
      <DaysRow draft={draft} onChange={onChange} />
      <FieldRow label={words.dataFrom} hint={words.dataFromHint} names={["dataFrom"]}>
        {(control) => (
          <TimeInput
            {...control("dataFrom")}
            aria-label={words.dataFromLabel}
            placeholder={examples.dataFrom}
            className={TIME}
            value={draft.dataFrom}
            onChange={(dataFrom) => onChange({ dataFrom })}
          />
        )}
      </FieldRow>
      <FieldRow label={words.holidays} hint={words.holidaysHint} names={["holidays"]}>
        {(control) => (
          <textarea
            {...control("holidays")}
            aria-label={words.holidaysLabel}
            rows={2}
            spellCheck={false}
            placeholder={examples.holiday}
            className="min-h-[52px] w-full rounded border border-control bg-surface px-2 py-1 text-ink"
            value={draft.holidays}
            onChange={({ target }) => onChange({ holidays: target.value })}
          />
        )}
      </FieldRow>
      <FieldRow label={words.allowance} hint={words.allowanceHint} names={["allowance"]}>
        {(control) => (
          <>
            <NumberInput
              {...control("allowance")}
              label={`${words.allowance}, ${words.minutes}`}
              value={draft.allowance}
              onChange={(allowance) => onChange({ allowance })}
            />
            <span className="text-ink-2">{words.minutes}</span>
          </>
        )}
      </FieldRow>
      <FieldRow label={words.range} hint={words.rangeHint} names={["from", "until"]}>
        {(control) => (
          <>
            <DateInput
              kind="date"
              {...control("from")}
              aria-label={words.from}
              placeholder={examples.from}
              className={DATE}
              value={draft.from}
              onChange={(from) => onChange({ from })}
            />
            <span className="text-ink-2">{words.until.toLowerCase()}</span>
            <DateInput
              kind="date"
              {...control("until")}
              aria-label={words.until}
              placeholder={examples.until}
              className={DATE}
              value={draft.until}
              onChange={(until) => onChange({ until })}
            />
          </>
        )}
      </FieldRow>
      <FieldRow label={words.target} names={["target"]}>
        {(control) => (
          <>
            <NumberInput
              {...control("target")}
              label={`${words.target}, ${words.percent}`}
              value={draft.target}
              onChange={(target) => onChange({ target })}
            />
            <span className="text-ink-2">{words.percent}</span>
          </>
        )}
      </FieldRow>
      <FieldRow label={words.note} hint={words.noteHint} names={["note"]}>
        {(control) => (
          <input
            {...control("note")}
            aria-label={words.note}
            maxLength={LONGEST_DEADLINE_NOTE}
            autoComplete="off"
            placeholder={words.noteExample}
            className={`w-full ${FIELD}`}
            value={draft.note}
            onChange={({ target }) => onChange({ note: target.value })}
          />
        )}
      </FieldRow>
    </>
  );
}

/** A partner, then one of its feeds. */
function SubjectRow({ draft, isNew, onChange }: Props & { isNew: boolean }) {
  const { view } = useLiveCompany();
  const rows = view?.rows;
  const partners = useMemo(
    () => [...new Set(rows?.map((row) => row.partner_name))].toSorted(compareText),
    [rows],
  );
  const { isChosen, partner, endpointId } = draft;
  const feeds = rows?.filter((row) => row.partner_name === partner) ?? [];
  const isGone = endpointId !== null && !feeds.some(({ id }) => id === endpointId);
  return (
    <FieldRow
      label={words.what}
      hint={isNew ? words.whatHint : words.whatStays}
      names={["subject"]}
    >
      {(control) => (
        <>
          <select
            {...control("subject")}
            aria-label={words.what}
            disabled={!isNew}
            className={`min-w-0 flex-1 ${FIELD}`}
            value={isChosen ? JSON.stringify(partner) : ""}
            onChange={({ target }) => {
              const chosen =
                target.value === "" ? null : (JSON.parse(target.value) as string | null);
              onChange({ isChosen: target.value !== "", partner: chosen, endpointId: null });
            }}
          >
            {isNew ? <option value="">{words.choose}</option> : null}
            <option value="null">{EVERY_PARTNER}</option>
            {partner === null || partners.includes(partner) ? null : (
              <option value={JSON.stringify(partner)}>{partner}</option>
            )}
            {partners.map((name) => (
              <option key={name} value={JSON.stringify(name)}>
                {name}
              </option>
            ))}
          </select>
          {partner === null && endpointId === null ? null : (
            <select
              aria-label={words.feed}
              disabled={!isNew}
              className={`min-w-0 flex-1 ${FIELD}`}
              value={endpointId ?? ""}
              onChange={({ target }) =>
                onChange({ endpointId: target.value === "" ? null : target.value })
              }
            >
              <option value="">{ALL_FEEDS}</option>
              {isGone ? <option value={endpointId}>{GONE_FEED}</option> : null}
              {feeds.map(({ id, endpoint_key: key }) => (
                <option key={id} value={id}>
                  {key}
                </option>
              ))}
            </select>
          )}
        </>
      )}
    </FieldRow>
  );
}

function TimeRow({ draft, onChange }: Props) {
  const own = useZone();
  return (
    <FieldRow label={words.by} names={["by", "timeZone"]}>
      {(control) => (
        <>
          <TimeInput
            {...control("by")}
            aria-label={words.by}
            required
            className={TIME}
            value={draft.by}
            onChange={(by) => onChange({ by })}
          />
          <ZoneButton
            label={words.zone}
            value={draft.timeZone}
            own={own}
            onChange={(timeZone) => onChange({ timeZone })}
            className="h-[30px] w-[190px] px-2 max-sm:h-11"
          />
        </>
      )}
    </FieldRow>
  );
}

function DaysRow({ draft: { isMonthly, days, monthDays }, onChange }: Props) {
  return (
    <FieldRow label={words.days} names={["days"]}>
      <Segmented
        label={words.kind}
        value={isMonthly ? "month" : "week"}
        options={[
          { value: "week", label: words.weekly },
          { value: "month", label: words.monthly },
        ]}
        onChange={(kind) => onChange({ isMonthly: kind === "month" })}
      />
      {isMonthly ? (
        <ChipField
          label={words.monthly}
          isLabelElsewhere
          name="monthDays"
          add={words.addDay}
          remove={words.remove}
          options={MONTH_DAYS.map((day) => ({ value: String(day), label: monthDayText(day) }))}
          chosen={monthDays.map(String)}
          onAdd={(value) => onChange({ monthDays: sorted([...monthDays.map(String), value]) })}
          onRemove={(value) =>
            onChange({ monthDays: monthDays.filter((day) => String(day) !== value) })
          }
        />
      ) : (
        <DaysField
          label={words.weekly}
          days={days}
          onChange={(chosen) => onChange({ days: chosen })}
        />
      )}
    </FieldRow>
  );
}

const sorted = (chosen: readonly string[]) =>
  MONTH_DAYS.filter((day) => chosen.includes(String(day)));

function NumberInput({
  label,
  value,
  onChange,
  ...rest
}: Omit<ComponentProps<"input">, "value" | "onChange"> & {
  label: string;
  value: string;
  onChange: (value: string) => void;
}) {
  return (
    <input
      {...rest}
      aria-label={label}
      inputMode="decimal"
      autoComplete="off"
      className={`w-[74px] ${FIELD}`}
      value={value}
      onChange={({ target }) => onChange(target.value)}
    />
  );
}
