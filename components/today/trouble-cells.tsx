"use client";

import { AgeBar } from "@/components/marks/age-bar";
import { NextSync } from "@/components/marks/next-sync";
import { calledName, Initials, NO_ONE_YET } from "@/components/marks/on-it";
import { latenessStyle } from "@/components/marks/lateness-style";
import { useZone } from "@/components/shell/time/zone";
import { useNow } from "@/lib/client/use-now";
import type { Trouble } from "@/lib/domain/incidents/incident";
import { moment, narrowMoment } from "@/lib/domain/words/format";
import { lineText, sameLineText, type LineTimes } from "./line-text";
import { useTodayPage } from "./today-context";
import { lineWords as words } from "./words";

/** Data age, the due line, overdue and next sync, in four cells. @param slug whose API dates them */
export function TimeCells({ of, slug }: { of: LineTimes & { verdict: Trouble }; slug: string }) {
  const { frozenMs, offsets } = useTodayPage();
  const timeZone = useZone();
  const offsetMs = offsets[slug] ?? 0;
  const text = useNow(
    (nowMs) =>
      lineText(of, {
        apiNowMs: (frozenMs ?? nowMs) + offsetMs,
        timeZone,
        isFrozen: frozenMs !== null,
      }),
    sameLineText,
  );
  const over = latenessStyle(of.verdict);
  return (
    <>
      <span role="cell" className="today-age">
        {text.age}
      </span>
      <span role="cell" className="today-bar">
        <AgeBar text={{ ...text, word: of.verdict }} />
        {of.last_updated_at === null ? (
          <span className="absolute top-1/2 left-0 z-[1] -translate-y-1/2 bg-surface pr-1 text-2xs leading-[14px] text-ink-3 min-[801px]:max-[1060px]:hidden">
            {words.noData}
          </span>
        ) : null}
      </span>
      <span role="cell" {...over} className={`today-over ${over.className}`}>
        {text.overdue}
        {text.overdue === "" ? null : (
          <span className="only-phone font-normal">{words.overdueHere}</span>
        )}
      </span>
      <span role="cell" className="today-next">
        <NextSync {...text} />
      </span>
    </>
  );
}

/** Since when, in a cell. @param at ISO 8601; null: unknown */
export function SinceCell({ at }: { at: string | null }) {
  const { frozenMs } = useTodayPage();
  const timeZone = useZone();
  const text = useNow((nowMs) =>
    at === null ? "" : moment(Date.parse(at), frozenMs ?? nowMs, timeZone),
  );
  return (
    <span role="cell" className="today-since" title={text}>
      {/* On cards, which have no heads. */}
      {text === "" ? null : <span>{words.sinceOnCard}</span>}
      {narrowMoment(text)}
    </span>
  );
}

/**
 * Who is on it, in a cell.
 * @param names of those who acknowledged some of it
 * @param some how many of its incidents they acknowledged, of `all`
 */
export function WhoCell({
  names,
  some,
  all,
}: {
  names: readonly string[];
  some: number;
  all: number;
}) {
  const { me } = useTodayPage();
  const [first, another] = names;
  if (first === undefined)
    return (
      <span role="cell" className="today-who">
        <Initials person={null} />
        <b>{NO_ONE_YET}</b>
      </span>
    );
  const person = { name: first, isYou: first === me.name };
  const said = another === undefined ? calledName(person) : words.people(names.length);
  const isAll = some >= all;
  return (
    <span role="cell" className="today-who" title={names.join(", ")}>
      <Initials person={person} />
      <span className={person.isYou ? "truncate text-ink" : "truncate"}>
        {isAll ? said : words.acknowledged(said, some, all)}
      </span>
    </span>
  );
}
