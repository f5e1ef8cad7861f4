"use client";

import { useEffect } from "react";
import { createFlag } from "@/components/ui/flag";
import { carryOutEarlyPresses } from "./early-presses";

/** Whether an early press was dropped, until the next press. */
const dropped = createFlag();

/** Carries out what was pressed before hydration. @param problem said where the page has changed too much for that */
export function CarryOutPresses({ problem }: { problem: string }) {
  useEffect(() => {
    if (!carryOutEarlyPresses()) return undefined;
    dropped.set(true);
    const end = () => dropped.set(false);
    document.addEventListener("click", end, { once: true });
    return () => document.removeEventListener("click", end);
  }, []);
  return dropped.use() ? (
    <p className="banner" role="alert">
      {problem}
    </p>
  ) : null;
}
