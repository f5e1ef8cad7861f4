import { useId, type ComponentProps } from "react";
import { LabelledField } from "./field";
import { invalidControl, useFieldProblem } from "./field-problem";

/** A labelled select of the same height as a `Field`. */
export function SelectField({ label, ...rest }: ComponentProps<"select"> & { label: string }) {
  const id = useId();
  const wrong = useFieldProblem(rest.name);
  return (
    <LabelledField id={id} label={label} wrong={wrong}>
      <select
        id={id}
        {...rest}
        {...(wrong && invalidControl(id))}
        className="mt-[5px] block h-[38px] w-full min-w-0 rounded border border-control bg-surface px-2 text-ink aria-invalid:border-failing-mark max-sm:h-11"
      />
    </LabelledField>
  );
}
