import type { ReactNode } from "react";

/** A chart's tooltip: the moment with its zone first, then the value. */
export function Tip({ when, children }: { when: string; children: ReactNode }) {
  return (
    <div className="rounded bg-ink px-2.5 py-[7px] text-xs whitespace-nowrap text-ink-inverse">
      <div>{when}</div>
      <div className="font-medium">{children}</div>
    </div>
  );
}
