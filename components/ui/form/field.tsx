import { useId, type ComponentProps, type ReactNode } from "react";

/** A labelled text field; `problem` is announced with it. */
export function Field({
  label,
  problem,
  ...rest
}: ComponentProps<"input"> & { label: string; problem?: ReactNode }) {
  const id = useId();
  return (
    <div className="mb-3">
      <label htmlFor={id} className="text-xs font-medium">
        {label}
      </label>
      <input
        id={id}
        {...rest}
        aria-invalid={problem ? true : undefined}
        aria-describedby={problem ? `${id}-problem` : undefined}
        className="mt-[5px] block h-[38px] w-full rounded border border-control bg-surface px-2.5 aria-invalid:border-failing-mark"
      />
      {problem ? (
        <p id={`${id}-problem`} className="mt-1 text-xs text-failing-text">
          {problem}
        </p>
      ) : null}
    </div>
  );
}
