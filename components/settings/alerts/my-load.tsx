"use client";

import { useQuery } from "@tanstack/react-query";
import {
  loadWords as words,
  rateText,
  unitOf,
  type Change,
} from "@/components/settings/rules/load-words";
import { Suggestions } from "@/components/settings/rules/suggestions";
import { daysOf } from "@/components/settings/rules/words";
import { Link } from "@/components/ui/link";
import { myAlarmLoadQuery } from "@/lib/client/queries/rules";
import { endpointPath } from "@/lib/domain/partner-address";

/**
 * How many alerts the person gets, about which feeds, and what would make it quieter. Default export for `lazyPart`.
 * @param nameOf name of a company, by slug
 * @param onUse puts a change into the form; null: there is none
 */
export default function MyLoad({
  nameOf,
  onUse,
}: {
  nameOf: (company: string) => string;
  onUse: ((change: Change) => void) | null;
}) {
  const { data, isError } = useQuery(myAlarmLoadQuery);
  if (data === undefined)
    return (
      <p role="status" className="mt-4 text-xs text-ink-2">
        {isError ? words.failed : words.busy}
      </p>
    );
  if (data.messages === 0 && onUse === null) return null;
  const days = daysOf(data);
  const unit = unitOf(data, days);
  const [top = null] = data.noisiest;
  return (
    <section aria-label={words.label} className="mt-4 border-t border-line-strong pt-3">
      <h2 className="text-md font-strong">{words.title(data, top, days)}</h2>
      <p className="text-xs text-ink-2">
        {data.messages === 0 ? null : words.period(days)}{" "}
        {data.now === null ? null : words.now(rateText(data.now, unit))}
      </p>
      {data.noisiest.length === 0 ? null : (
        <>
          <h3 className="mt-3 text-xs font-medium">{words.noisy}</h3>
          <ul>
            {data.noisiest.map((one) => (
              <li
                key={`${one.company} ${one.endpoint_id}`}
                className="flex min-h-[29px] flex-wrap items-baseline gap-x-3 border-t border-line py-1"
              >
                <Link
                  href={endpointPath(one.company, one.partner_name, one.endpoint_id)}
                  className="hover:underline"
                >
                  {nameOf(one.company)}, {one.partner_name} /{" "}
                  <span className="font-mono">{one.endpoint_key}</span>
                </Link>
                <span>{rateText(one, unit)}</span>
                {one.without === null ? null : (
                  <span className="text-xs text-ink-2">
                    {words.without(rateText(one.without, unit))}
                  </span>
                )}
              </li>
            ))}
          </ul>
        </>
      )}
      {data.suggestions.length === 0 ? null : (
        <Suggestions suggestions={data.suggestions} unit={unit} onUse={onUse} />
      )}
    </section>
  );
}
