import { useId, type ComponentProps, type ReactNode } from "react";

/** A labelled text field; `problem` is announced with it. */
export function Field({
  label,
  problem,
  ...rest
}: ComponentProps<"input"> & { label: string; problem?: ReactNode }) {
  const id = useId();
  return (
    <LabelledField id={id} label={label} problem={problem}>
      <input
        id={id}
        {...rest}
        aria-invalid={problem ? true : undefined}
        aria-describedby={problem ? `${id}-problem` : undefined}
        className={FIELD_CONTROL}
      />
    </LabelledField>
  );
}

export const FIELD_CONTROL =
  "mt-[5px] block h-[38px] w-full rounded border border-control bg-surface px-2.5 aria-invalid:border-failing-mark";

/** The label of a field and what is wrong with it, around the control of that `id`. */
export function LabelledField({
  id,
  label,
  problem,
  children,
}: {
  id: string;
  label: string;
  problem?: ReactNode;
  children: ReactNode;
}) {
  return (
    <div className="mb-3">
      <label htmlFor={id} className="text-xs font-medium">
        {label}
      </label>
      {children}
      {problem ? (
        <p id={`${id}-problem`} className="mt-1 text-xs text-failing-text">
          {problem}
        </p>
      ) : null}
    </div>
  );
}
