"use client";

import { useQueryState } from "nuqs";
import { Segmented } from "@/components/ui/segmented";
import { HISTORY_RANGES } from "@/lib/domain/history";
import { rangeParser } from "./range";

const OPTIONS = HISTORY_RANGES.map((value) => ({ value, label: value.replace(/(?=[hd]$)/, " ") }));

/** The range of the page, kept in its address; every choice is a step back. */
export function RangeSwitch() {
  const [range, setRange] = useRange();
  return (
    <Segmented
      label="Range"
      value={range}
      options={OPTIONS}
      onChange={(value) => void setRange(value)}
    />
  );
}

export const useRange = () => useQueryState("range", { ...rangeParser, history: "push" });
