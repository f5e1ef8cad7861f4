import { useId, type ComponentProps } from "react";

/** A labelled select of the same height as a `Field`. */
export function SelectField({ label, ...rest }: ComponentProps<"select"> & { label: string }) {
  const id = useId();
  return (
    <div className="mb-3">
      <label htmlFor={id} className="text-xs font-medium">
        {label}
      </label>
      <select
        id={id}
        {...rest}
        className="mt-[5px] block h-[38px] w-full min-w-0 rounded border border-control bg-surface px-2 text-ink max-sm:h-11"
      />
    </div>
  );
}
