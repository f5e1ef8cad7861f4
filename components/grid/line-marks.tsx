import type { ReactNode } from "react";
import { OpenIncidentsProvider } from "@/components/marks/open-incidents";
import { QuietProvider } from "@/components/quiet/quiet-marks";

/** Provides the marks of lines besides their verdict: open incidents, and planned quiet times. */
export function LineMarks({ children }: { children: ReactNode }) {
  return (
    <OpenIncidentsProvider>
      <QuietProvider>{children}</QuietProvider>
    </OpenIncidentsProvider>
  );
}
