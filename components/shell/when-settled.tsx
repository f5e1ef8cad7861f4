"use client";

import type { ReactNode } from "react";
import { useSettledPage } from "./use-settled-page";

/** Renders its children once the page has settled, so that they don't compete with its own requests. */
export function WhenSettled({ children }: { children: ReactNode }) {
  return useSettledPage() ? children : null;
}
