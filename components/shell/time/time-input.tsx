"use client";

import { useId, type ComponentProps } from "react";
import { FIELD_CONTROL, LabelledField } from "@/components/ui/form/field";
import { invalidControl, useFieldProblem } from "@/components/ui/form/field-problem";
import { TypedInput } from "@/components/ui/form/typed-input";
import { useMedia } from "@/components/ui/use-media";
import { parseTypedTime } from "@/lib/domain/time/typed-time";

const REFUSAL = "Enter a time like 07:30 or 7:30 pm.";

type TimeInputProps = Omit<
  ComponentProps<"input">,
  "type" | "value" | "defaultValue" | "onChange"
> & {
  /** "19:30", and "24:00" if `isEnd`; empty for none. */
  value: string;
  /** It ends a period. */
  isEnd?: boolean;
  onChange: (value: string) => void;
};

/** A clock time, typed in any usual way and shown in 24 hours; on touch screens, the native picker. */
export function TimeInput({ value, isEnd = false, onChange, ...rest }: TimeInputProps) {
  const isTouch = useMedia("(pointer: coarse)");
  if (isTouch)
    return (
      <input
        {...rest}
        type="time"
        // A native field has no 24:00.
        value={value === "24:00" ? "00:00" : value}
        onChange={({ target }) => onChange(target.value)}
      />
    );
  return (
    <TypedInput
      placeholder="23:18"
      {...rest}
      value={value}
      shown={value}
      parse={(text) => parseTypedTime(text, isEnd)}
      refusal={() => REFUSAL}
      onChange={onChange}
    />
  );
}

/** Same, as a labelled form field. */
export function TimeField({ label, ...rest }: TimeInputProps & { label: string }) {
  const id = useId();
  const wrong = useFieldProblem(rest.name);
  return (
    <LabelledField id={id} label={label} wrong={wrong}>
      <TimeInput id={id} {...rest} {...(wrong && invalidControl(id))} className={FIELD_CONTROL} />
    </LabelledField>
  );
}
