"use client";

import { useId, type ComponentProps } from "react";
import { FIELD_CONTROL, LabelledField } from "@/components/ui/form/field";
import { invalidControl, useFieldProblem } from "@/components/ui/form/field-problem";
import { TypedInput } from "@/components/ui/form/typed-input";
import { useMedia } from "@/components/ui/use-media";
import { useServerClock } from "@/lib/client/use-now";
import { dayOf } from "@/lib/domain/time/day";
import { parseTyped, typedText, type DateKind } from "@/lib/domain/time/typed-date";
import { useZone } from "./zone";

const EXAMPLE: Readonly<Record<DateKind, string>> = {
  date: "24 Nov 2026",
  datetime: "24 Nov 2026, 23:18",
};
const NATIVE = { date: "date", datetime: "datetime-local" } as const;

type DateInputProps = Omit<
  ComponentProps<"input">,
  "type" | "value" | "defaultValue" | "onChange" | "min" | "max"
> & {
  kind: DateKind;
  /** In the format of a native field: "2026-11-24", "2026-11-24T23:18"; empty for none. */
  value: string;
  onChange: (value: string) => void;
  /** First and last allowed value, inclusive. */
  min?: string;
  max?: string;
};

/** A date, or a date with a time, typed in our own format; on touch screens, the native picker. */
export function DateInput({ kind, value, onChange, min, max, ...rest }: DateInputProps) {
  const timeZone = useZone();
  const clock = useServerClock();
  const isTouch = useMedia("(pointer: coarse)");
  if (isTouch)
    return (
      <input
        autoComplete="off"
        {...rest}
        type={NATIVE[kind]}
        min={min}
        max={max}
        value={value}
        onChange={({ target }) => onChange(target.value)}
      />
    );
  const readText = (text: string) => parseTyped(text, kind, dayOf(clock.nowMs(), timeZone));
  const parse = (text: string) => {
    const read = readText(text);
    if (read === null || read === "") return read;
    return (min !== undefined && read < min) || (max !== undefined && read > max) ? null : read;
  };
  return (
    <TypedInput
      placeholder={EXAMPLE[kind]}
      {...rest}
      value={value}
      shown={typedText(value)}
      parse={parse}
      refusal={(text) => refusalOf(readText(text), { kind, min, max })}
      onChange={onChange}
    />
  );
}

/** Message for an invalid date. @param read its value if only out of range; null: not a date */
export function refusalOf(
  read: string | null,
  { kind, min, max }: { kind: DateKind; min?: string | undefined; max?: string | undefined },
): string {
  const what = kind === "date" ? "a date" : "a date and time";
  if (read !== null && min !== undefined && max !== undefined)
    return `Enter ${what} from ${typedText(min)} to ${typedText(max)}.`;
  if (read !== null && min !== undefined) return `Enter ${what} from ${typedText(min)} on.`;
  return `Enter ${what} like ${EXAMPLE[kind]}.`;
}

/** Same, as a labelled form field. */
export function DateField({ label, ...rest }: DateInputProps & { label: string }) {
  const id = useId();
  const wrong = useFieldProblem(rest.name);
  return (
    <LabelledField id={id} label={label} wrong={wrong}>
      <DateInput id={id} {...rest} {...(wrong && invalidControl(id))} className={FIELD_CONTROL} />
    </LabelledField>
  );
}
