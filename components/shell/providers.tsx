"use client";

import { CSPProvider } from "@base-ui/react/csp-provider";
import { QueryClientProvider } from "@tanstack/react-query";
import { useState, type ReactNode } from "react";
import type { ClockChoice } from "@/lib/client/preferences";
import { createQueryClient } from "@/lib/client/query-client";
import { ZoneProvider } from "@/components/shell/time/zone";

/** Context of every page. Base UI may not write style elements, which our policy would refuse. */
export function Providers({
  zone,
  clock,
  children,
}: {
  zone: string;
  clock: ClockChoice;
  children: ReactNode;
}) {
  const [queryClient] = useState(createQueryClient);
  return (
    <CSPProvider disableStyleElements>
      <QueryClientProvider client={queryClient}>
        <ZoneProvider serverZone={zone} serverClock={clock}>
          {children}
        </ZoneProvider>
      </QueryClientProvider>
    </CSPProvider>
  );
}
