import type { ReactNode } from "react";
import { ROLLING_WINDOW } from "@/components/charts/words";

/**
 * A section with its heading: what it shows, and as of when.
 * @param isRolling its figures are of rolling windows
 */
export function CallsPanel({
  title,
  note,
  isRolling = true,
  controls,
  children,
}: {
  title: ReactNode;
  note: ReactNode;
  isRolling?: boolean;
  controls?: ReactNode;
  children: ReactNode;
}) {
  return (
    <section className="panel">
      <header>
        <h2 className="min-w-0 truncate">{title}</h2>
        <p>
          {isRolling ? (
            <>
              <span>{ROLLING_WINDOW}</span> ·{" "}
            </>
          ) : null}
          {note}
        </p>
      </header>
      {controls}
      {children}
    </section>
  );
}
