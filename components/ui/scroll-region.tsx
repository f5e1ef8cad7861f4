import type { ReactNode } from "react";

/** Content larger than its area. Focusable, so that keys can scroll it too. */
export function ScrollRegion({
  label,
  className,
  children,
}: {
  label: string;
  className: string;
  children: ReactNode;
}) {
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a scrolled region must be reachable
    <div role="region" aria-label={label} tabIndex={0} className={className}>
      {children}
    </div>
  );
}
