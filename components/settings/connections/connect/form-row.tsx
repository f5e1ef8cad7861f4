import { useId, type ReactNode } from "react";

/** Of a text field or select in a row. */
export const CONTROL =
  "h-8 w-full min-w-0 rounded border border-control bg-surface px-2.5 text-ink aria-invalid:border-failing-mark max-sm:h-11";

/** Connects a control with its label, hint and problem. */
type ControlProps = { id: string; "aria-describedby": string; "aria-invalid": true | undefined };

/**
 * A row of the form: label, control, hint, and what is wrong with it.
 * @param children gets the attributes of the control
 */
export function FormRow({
  label,
  hint,
  problem = null,
  children,
}: {
  label: string;
  hint?: ReactNode;
  problem?: string | null;
  children: (props: ControlProps) => ReactNode;
}) {
  const id = useId();
  return (
    <div className="grid grid-cols-[118px_minmax(0,1fr)] gap-x-4 gap-y-1 border-t border-line py-[9px] first:border-line-strong max-sm:grid-cols-1">
      <label htmlFor={id} className="pt-[7px] text-xs/[18px] font-medium max-sm:pt-0">
        {label}
      </label>
      <div className="min-w-0">
        {children({
          id,
          "aria-describedby": `${id}-about`,
          "aria-invalid": problem === null ? undefined : true,
        })}
        <div id={`${id}-about`} className="text-xs/[18px] text-ink-2">
          {problem === null ? null : <p className="mt-[5px] text-failing-text">{problem}</p>}
          {hint === undefined ? null : <p className="mt-[5px] wrap-anywhere">{hint}</p>}
        </div>
      </div>
    </div>
  );
}
