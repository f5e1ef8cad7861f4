"use client";

import { jsonText } from "@/lib/domain/text/json-text";
import { useZone } from "@/components/shell/time/zone";
import type { EndpointHistory } from "@/lib/contracts/history";
import { instantMs } from "@/lib/domain/time/instant";
import { absoluteTime, moment } from "@/lib/domain/words/format";
import { Panel } from "./past";
import { rawFields } from "./words";

/** The latest row from the API, field by field, with the start of each value. */
export function RawFields({
  history,
  apiNowMs,
}: {
  history: EndpointHistory | undefined;
  apiNowMs: number;
}) {
  const timeZone = useZone();
  const fields = history === undefined ? [] : fieldsOf(history.raw);
  return (
    <Panel title={rawFields.heading} aside={<p>{rawFields.note}</p>}>
      <dl className="raw-fields">
        {fields.map(([name, value]) => {
          const seenMs = instantMs(history?.raw_seen[name] ?? null);
          return (
            <div key={name}>
              <dt>{name}</dt>
              <dd>{jsonText(value)}</dd>
              <dd
                className="raw-seen"
                title={seenMs === null ? rawFields.notRecorded : absoluteTime(seenMs, timeZone)}
              >
                {seenMs === null ? "" : moment(seenMs, apiNowMs, timeZone)}
              </dd>
            </div>
          );
        })}
      </dl>
      {history === undefined ? null : (
        <p className="mt-2 text-xs text-ink-2">
          {rawFields.firstSeen(absoluteTime(instantMs(history.first_seen_at) ?? 0, timeZone))}
        </p>
      )}
    </Panel>
  );
}

/** Attributes are listed beside the row's other fields, as in the API's documentation. */
function fieldsOf(raw: Readonly<Record<string, unknown>>): [string, unknown][] {
  return Object.entries(raw).flatMap(([name, value]): [string, unknown][] =>
    name === "attributes" && typeof value === "object" && value !== null
      ? Object.entries(value)
      : [[name, value]],
  );
}
