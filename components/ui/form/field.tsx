"use client";

import { useId, type ComponentProps, type ReactNode } from "react";
import { FieldProblem, invalidControl, useFieldProblem, wrongField } from "./field-problem";
import type { NamedProblem } from "./typed-input";

/** A labelled text field; `problem`, or that of its form with its `name`, is its description. */
export function Field({
  label,
  problem: own,
  ...rest
}: ComponentProps<"input"> & { label: string; problem?: ReactNode }) {
  const id = useId();
  const wrong = useFieldProblem(rest.name);
  const problem = own || wrong?.problem;
  return (
    <LabelledField id={id} label={label} wrong={wrong} problem={problem} isSaid={!own}>
      <input id={id} {...rest} {...(problem ? invalidControl(id) : {})} className={FIELD_CONTROL} />
    </LabelledField>
  );
}

export const FIELD_CONTROL =
  "mt-[5px] block h-[38px] w-full rounded border border-control bg-surface px-2.5 aria-invalid:border-failing-mark";

/**
 * The label of a field and what is wrong with it, around the control of that `id`.
 * @param problem shown instead of what is `wrong` by its form
 */
export function LabelledField({
  id,
  label,
  wrong,
  problem = wrong?.problem,
  isSaid = true,
  children,
}: {
  id: string;
  label: string;
  wrong?: NamedProblem | null;
  problem?: ReactNode;
  isSaid?: boolean;
  children: ReactNode;
}) {
  return (
    <div className="mb-3" {...wrongField(wrong)}>
      <label htmlFor={id} className="text-xs font-medium">
        {label}
      </label>
      {children}
      {problem ? (
        <FieldProblem id={id} isSaid={isSaid}>
          {problem}
        </FieldProblem>
      ) : null}
    </div>
  );
}
