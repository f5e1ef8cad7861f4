"use client";

import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useDebouncedValue } from "@/components/list/use-debounced-value";
import { RehearsalPanel } from "@/components/resource/rehearsal-panel";
import { useZone } from "@/components/shell/time/zone";
import { Button } from "@/components/ui/button";
import { ScrollRegion } from "@/components/ui/scroll-region";
import { rehearsalQuery, type AlertsFields, type RuleFields } from "@/lib/client/queries/rules";
import type { Rehearsal as View } from "@/lib/contracts/delivery";
import { dayOf } from "@/lib/domain/time/day";
import { clockTime } from "@/lib/domain/words/format";
import { dayAndMonth } from "@/lib/domain/words/dates";
import { MessageIcon } from "./message-icon";
import { NEW_FIELDS, lacksOfFields } from "./draft";
import { at, daysOf, messageLabel, nameIn, rehearsalWords as words, typesText } from "./words";
import { DAY_MS } from "@/lib/domain/time/units";

const TYPED_MS = 500;

type Companies = readonly { slug: string; name: string }[];

/**
 * What the rule or alerts being edited would have sent in the past, by the record.
 * @param to recipient of each message: "each channel"
 * @param onAll includes all companies, where only the person's own count
 */
export function Rehearsal({
  fields,
  to,
  companies,
  onAll = null,
}: {
  fields: RuleFields | AlertsFields;
  to: string;
  companies: Companies;
  onAll?: (() => void) | null;
}) {
  const settled = useDebouncedValue(JSON.stringify(fields), TYPED_MS);
  const draft = JSON.parse(settled) as typeof fields;
  const isWhole = lacksOfFields(draft).length === 0;
  const { data, isError, isFetching, refetch } = useQuery({
    ...rehearsalQuery(isWhole ? draft : NEW_FIELDS),
    enabled: isWhole,
    placeholderData: keepPreviousData,
  });
  const isCurrent = isWhole && !isFetching && settled === JSON.stringify(fields);
  return (
    <RehearsalPanel
      words={words}
      isWhole={isWhole}
      isError={isError}
      isCurrent={isCurrent}
      onAgain={() => void refetch()}
    >
      {data === undefined ? null : (
        <Result rehearsal={data} to={to} companies={companies} onAll={onAll} />
      )}
    </RehearsalPanel>
  );
}

function Result({
  rehearsal,
  to,
  companies,
  onAll,
}: {
  rehearsal: View;
  to: string;
  companies: Companies;
  onAll: (() => void) | null;
}) {
  const timeZone = useZone();
  const { count, messages } = rehearsal;
  const isWhole = messages.length >= count;
  const nameOf = nameIn(companies);
  return (
    <>
      <div role="status">
        <h2 className="text-md">{words.title(count, daysOf(rehearsal))}</h2>
      </div>
      <p className="text-xs text-ink-2">
        {count === 0
          ? null
          : isWhole
            ? [
                words.each(to, typesText(rehearsal)),
                ...(to === words.channels ? [words.between] : []),
              ].join(" ")
            : words.latest(messages.length)}
      </p>
      {count === 0 && rehearsal.own_companies === 0 && onAll !== null ? (
        <>
          <p className="mb-2">{words.noneOwn}</p>
          <Button onClick={onAll}>{words.all}</Button>
        </>
      ) : null}
      {isWhole && count > 0 ? <Bars rehearsal={rehearsal} /> : null}
      <ScrollRegion label={words.list} className="max-h-[560px] overflow-y-auto">
        <ol>
          {messages.map((message, index) => {
            const ms = Date.parse(message.at);
            const [first = ""] = message.text.split("\n");
            return (
              // Nothing else distinguishes two messages with the same time and text.
              // oxlint-disable-next-line react/no-array-index-key
              <li
                key={`${message.at} ${index}`}
                title={message.text}
                className="grid min-h-[29px] grid-cols-[96px_14px_minmax(0,1fr)] items-center gap-2.5 border-t border-line py-1 wrap-anywhere"
              >
                <time dateTime={message.at} className="font-mono text-xs/4.5 text-ink-2">
                  {dayAndMonth(ms, timeZone)} {clockTime(ms, timeZone)}
                </time>
                <MessageIcon type={message.type} />
                <span>
                  {message.partner_name === null || message.company === null ? (
                    <bdi>{first}</bdi>
                  ) : (
                    <>
                      <b dir="auto" className="font-medium">
                        {message.partner_name}
                      </b>{" "}
                      {at(nameOf(message.company))}{" "}
                      <i className="text-ink-2 not-italic">{messageLabel(message)}</i>
                    </>
                  )}
                </span>
              </li>
            );
          })}
        </ol>
      </ScrollRegion>
    </>
  );
}

/** Messages per local calendar day. */
function Bars({ rehearsal: { since, until, count, messages } }: { rehearsal: View }) {
  const timeZone = useZone();
  const [sinceMs, untilMs] = [Date.parse(since), Date.parse(until)];
  const days: string[] = [];
  // Half-day steps, so that a clock change skips no day.
  for (let ms = sinceMs; ms < untilMs + DAY_MS; ms += DAY_MS / 2) {
    const day = dayOf(Math.min(ms, untilMs), timeZone);
    if (days.at(-1) !== day) days.push(day);
  }
  const amounts = days.map(
    (day) =>
      messages.filter(({ at: instant }) => dayOf(Date.parse(instant), timeZone) === day).length,
  );
  const most = Math.max(1, ...amounts);
  const from = dayAndMonth(sinceMs, timeZone);
  return (
    <>
      <div
        role="img"
        aria-label={words.bars(count, from, dayAndMonth(untilMs, timeZone))}
        className="mt-3.5 mb-0.5 flex h-13 items-end gap-0.5 border-b border-control"
      >
        {amounts.map((amount, index) => (
          <i
            key={days[index]}
            className="flex-1 bg-(--chart-bar)"
            style={{ height: `${(amount / most) * 100}%` }}
          />
        ))}
      </div>
      <div className="mb-2.5 flex justify-between text-2xs text-ink-3" aria-hidden="true">
        <span>{from}</span>
        <span>{words.today}</span>
      </div>
    </>
  );
}
