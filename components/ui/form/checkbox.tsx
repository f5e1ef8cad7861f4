import type { ComponentProps } from "react";

const BOX =
  "relative m-0 size-3.5 appearance-none rounded-[2px] border border-control bg-surface checked:border-ink checked:bg-ink indeterminate:border-ink indeterminate:bg-ink focus-visible:outline-offset-2";
const TICK =
  "after:absolute after:top-px after:left-1 after:hidden after:h-2 after:w-1 after:rotate-[42deg] after:border-r-[1.6px] after:border-b-[1.6px] after:border-ink-inverse checked:after:block";
const DASH =
  "before:absolute before:top-[5px] before:left-[2px] before:hidden before:h-[2px] before:w-2 before:bg-ink-inverse indeterminate:before:block";

/**
 * A checkbox with a touch target as large as its row. `isMixed`: some of what it stands for is
 * ticked; `isLabelShown`: the label is beside it.
 */
export function Checkbox({
  label,
  isMixed = false,
  isLabelShown = false,
  className = "",
  ...rest
}: Omit<ComponentProps<"input">, "type" | "ref"> & {
  label: string;
  isMixed?: boolean;
  isLabelShown?: boolean;
}) {
  return (
    <label
      className={`grid cursor-default grid-flow-col place-items-center gap-2 ${isLabelShown ? "justify-start" : ""} ${className}`}
    >
      <input
        type="checkbox"
        aria-label={isLabelShown ? undefined : label}
        ref={(input) => {
          if (input !== null) input.indeterminate = isMixed;
        }}
        {...rest}
        className={`${BOX} ${TICK} ${DASH}`}
      />
      {isLabelShown ? <bdi className="wrap-anywhere">{label}</bdi> : null}
    </label>
  );
}
