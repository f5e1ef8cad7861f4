import type { ReactNode } from "react";
import type { OpenIncident } from "@/components/marks/open-incident";
import { OpenIncidentsProvider } from "@/components/marks/open-incidents";
import { QuietProvider } from "@/components/quiet/quiet-marks";

/**
 * Provides the marks of lines besides their verdict: open incidents, and planned quiet times.
 * @param incidents from the server, until the browser has its own
 */
export function LineMarks({
  incidents = null,
  children,
}: {
  incidents?: readonly OpenIncident[] | null;
  children: ReactNode;
}) {
  return (
    <OpenIncidentsProvider first={incidents}>
      <QuietProvider>{children}</QuietProvider>
    </OpenIncidentsProvider>
  );
}
