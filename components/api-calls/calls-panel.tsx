import type { ReactNode } from "react";
import { ROLLING_WINDOW } from "@/components/charts/words";

/**
 * A chart of calls with its heading: what it shows, as of when, and that it is a rolling window.
 */
export function CallsPanel({
  title,
  note,
  controls,
  children,
}: {
  title: ReactNode;
  note: ReactNode;
  controls?: ReactNode;
  children: ReactNode;
}) {
  return (
    <section className="mb-7 border-t border-line-strong pt-2.5">
      <header className="mb-2">
        <div className="flex flex-wrap items-baseline justify-between gap-x-4">
          <h2 className="min-w-0 truncate font-strong">{title}</h2>
          <p className="text-xs text-ink-3">{note}</p>
        </div>
        <p className="text-2xs text-ink-3">{ROLLING_WINDOW}</p>
        {controls}
      </header>
      {children}
    </section>
  );
}
