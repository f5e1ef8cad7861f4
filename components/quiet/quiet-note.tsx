"use client";

import type { Expectation } from "@/lib/contracts/quiet";
import { covers, isOfAll, type Planned } from "./covered";
import { usePlanned } from "./planned";
import { QuietIcon, useQuietTexts } from "./quiet-mark";
import { whatText } from "./words";

/**
 * Beside the verdict of a partner or an endpoint: each active planned quiet time.
 * @param endpointId null: of the partner, including those of single endpoints
 * @param first from the server, until the browser has its own; null: none
 */
export function QuietNote({
  partner,
  endpointId,
  first,
}: {
  partner: string;
  endpointId: string | null;
  first: Planned | null;
}) {
  const { all, offsetMs } = usePlanned(first);
  const own = all.filter((one) =>
    endpointId === null
      ? isOfAll(one, partner) || one.partner_name === partner
      : covers(one, { id: endpointId, partner }),
  );
  const withName = (text: string, one: Expectation) =>
    endpointId === null && one.endpoint_id !== null ? `${text} (${whatText(one)})` : text;
  const texts = useQuietTexts({ all: own, offsetMs }, withName);
  return texts.map((text) => (
    <p key={text} className="mt-1.5 flex items-start gap-[7px] text-xs text-ink-2">
      <span className="mt-[3px]">
        <QuietIcon />
      </span>
      {text}
    </p>
  ));
}
