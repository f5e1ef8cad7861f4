import type { ComponentProps, MouseEvent } from "react";

const LOOKS = {
  plain: "border-control bg-surface hover:bg-row-hover",
  primary: "border-ink bg-ink text-ink-inverse hover:opacity-90",
  danger: "border-failing-wash bg-failing-wash text-failing-on hover:opacity-90",
} as const;

/**
 * A button names its action and how many it affects; `size` "large" is for a page's only button.
 * @param isBusy presses do nothing. Not disabled: that would move the focus
 */
export function Button({
  look = "plain",
  size = "normal",
  isBusy = false,
  className = "",
  onClick,
  ...rest
}: ComponentProps<"button"> & {
  look?: keyof typeof LOOKS;
  size?: "normal" | "large";
  isBusy?: boolean;
}) {
  const height = size === "large" ? "h-[38px] w-full" : "h-[30px] max-sm:h-11";
  return (
    <button
      type="button"
      {...rest}
      {...(isBusy && { "aria-disabled": true })}
      onClick={isBusy ? ignore : onClick}
      className={`inline-flex items-center justify-center gap-[7px] rounded border px-3 font-medium whitespace-nowrap [transition:background-color_var(--dur-fast)] focus-visible:outline-offset-2 disabled:border-line-strong disabled:bg-sunken disabled:text-ink-3 aria-disabled:border-line-strong aria-disabled:bg-sunken aria-disabled:text-ink-3 ${height} ${LOOKS[look]} ${className}`}
    />
  );
}

/** The default would submit a form. */
function ignore(event: MouseEvent): void {
  event.preventDefault();
}
