"use client";

import { Segmented } from "@/components/ui/segmented";
import { useAddressParam } from "@/lib/client/address/use-address";
import { HISTORY_RANGES } from "@/lib/domain/history";
import { rangeParam } from "./range";
import { RANGE_LABEL } from "./words";

const OPTIONS = HISTORY_RANGES.map((value) => ({ value, label: value.replace(/(?=[hd]$)/, " ") }));

/** The range of the page, stored in its address; every choice is a history entry. */
export function RangeSwitch() {
  const [range, setRange] = useRange();
  return <Segmented label={RANGE_LABEL} value={range} options={OPTIONS} onChange={setRange} />;
}

export const useRange = () => useAddressParam("range", rangeParam, "push");
