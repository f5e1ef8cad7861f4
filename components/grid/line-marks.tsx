import type { ReactNode } from "react";
import { OpenIncidentsProvider } from "@/components/marks/open-incidents";
import { QuietProvider } from "@/components/quiet/quiet-marks";

/** Brings what the lines of a list are marked with beside their verdict: open incidents, and planned quiet times. */
export function LineMarks({ children }: { children: ReactNode }) {
  return (
    <OpenIncidentsProvider>
      <QuietProvider>{children}</QuietProvider>
    </OpenIncidentsProvider>
  );
}
