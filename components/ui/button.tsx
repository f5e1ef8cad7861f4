import type { ComponentProps } from "react";

const LOOKS = {
  plain: "border-control bg-surface hover:bg-row-hover",
  primary: "border-ink bg-ink text-ink-inverse hover:opacity-90",
  danger: "border-failing-wash bg-failing-wash text-failing-on hover:opacity-90",
} as const;

/**
 * A button names its action and how many it affects; `size` "large" is for a page's only button.
 */
export function Button({
  look = "plain",
  size = "normal",
  className = "",
  ...rest
}: ComponentProps<"button"> & { look?: keyof typeof LOOKS; size?: "normal" | "large" }) {
  const height = size === "large" ? "h-[38px] w-full" : "h-[30px] max-sm:h-11";
  return (
    <button
      type="button"
      {...rest}
      className={`inline-flex items-center justify-center gap-[7px] rounded border px-3 font-medium whitespace-nowrap [transition:background-color_var(--dur-fast)] focus-visible:outline-offset-2 disabled:border-line-strong disabled:bg-sunken disabled:text-ink-3 ${height} ${LOOKS[look]} ${className}`}
    />
  );
}
