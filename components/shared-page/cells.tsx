import { Fragment, type ReactNode } from "react";
import { AgeBar } from "@/components/marks/age-bar";
import { Badge } from "@/components/marks/badge";
import { VerdictIcon } from "@/components/marks/verdict-icon";
import type { PresentEndpoint, SharedPast, SharedPresent } from "@/lib/contracts/shared-page";
import { dueBarFraction } from "@/lib/domain/bar-geometry";
import { knownLatenessMs, type Verdict } from "@/lib/domain/sync";
import { atMoment } from "@/lib/domain/words/dates";
import { duration, span } from "@/lib/domain/words/format";
import { VERDICT_LABEL } from "@/lib/domain/words/labels";
import { stillPromiseText } from "@/lib/domain/words/deadlines/promise-text";
import type { Side } from "@/lib/domain/words/then-and-now";
import { lastCheckText, TimeText, type When } from "./times";
import { page as words } from "./words";

/** A table of endpoints. `head`: the cells after the endpoint's. */
export function EndpointTable({ head, children }: { head: ReactNode; children: ReactNode }) {
  return (
    <table>
      <caption className="sr">{words.table}</caption>
      <thead>
        <tr>
          <th scope="col">{words.endpoint}</th>
          {head}
        </tr>
      </thead>
      <tbody>{children}</tbody>
    </table>
  );
}

/** Both ways a text can turn out while the page is open: one of them is visible. */
export function SeenOrBlind({ seen, blind }: { seen: ReactNode; blind: ReactNode }) {
  return (
    <>
      <span className="if-seen">{seen}</span>
      <span className="if-blind">{blind}</span>
    </>
  );
}

/**
 * Heading of the "then" column: of the last check if blind then.
 * @param before the moment as text
 */
export function ThenHead({
  past,
  before,
  timeZone,
}: {
  past: SharedPast;
  before: string;
  timeZone: string;
}) {
  const text = (isFrozen(past) ? words.atThenLast : words.atThen)(before);
  return (
    <th scope="col" className="then">
      <TimeText ms={past.atMs} text={text} timeZone={timeZone} />
    </th>
  );
}

/**
 * Heading of the "now" column: of the last check once the reader's browser is blind too.
 * @param time the current moment as text
 */
export function NowHead({
  now: { asOfMs, apiNowMs },
  time,
  timeZone,
}: {
  now: SharedPresent;
  time: string;
  timeZone: string;
}) {
  const last = asOfMs === null ? words.never : lastCheckText(asOfMs, { nowMs: apiNowMs, timeZone });
  return (
    <th scope="col">
      <SeenOrBlind
        seen={<TimeText ms={apiNowMs} text={words.atNow(time)} timeZone={timeZone} />}
        blind={words.atLast(last)}
      />
    </th>
  );
}

/** Says that the stored copy wasn't live when it was shared. */
export function ThenRemark({ past, when }: { past: SharedPast; when: When }) {
  if (past.confidence === "live") return null;
  const last = lastCheckText(past.asOfMs, when);
  const shared = atMoment(past.sharedMs, when.nowMs, when.timeZone);
  return (
    <p className="sub">
      {isFrozen(past) ? words.thenBlind(shared, last) : words.thenDelayed(last)}
    </p>
  );
}

/** A side of a comparison, with what its bar is drawn by. */
export type DrawnSide = Side & {
  cadenceMs: number | null;
  /** The part of the age that counts. */
  countedAgeMs: number | null;
};

/** A cell of the "then" column. `side`: null if not known. */
export function ThenCell({ side, past }: { side: DrawnSide | null; past: SharedPast }) {
  if (side === null || side.word === null) return <UnknownCell kind="then" />;
  return (
    <td className="then">
      <SideOf>
        <span>
          <VerdictBadge word={side.word} isFrozen={isFrozen(past)} />
        </span>
        <Numbers side={side} />
        <DueBar side={side} word={side.word} />
      </SideOf>
    </td>
  );
}

/**
 * A cell of the "now" column, with the last check's verdict for when the page goes blind.
 * @param isCompared beside a "then", which doesn't know of runs: one here alone would look like a change
 */
export function NowCell({
  endpoint,
  isCompared,
}: {
  endpoint: PresentEndpoint;
  isCompared: boolean;
}) {
  const { stuck, syncing } = endpoint.judgement.overlays;
  const overlay = isCompared ? null : stuck ? "stuck" : syncing ? "syncing" : null;
  const side = nowSide(endpoint);
  return (
    <td className="now">
      <SideOf>
        <span>
          <SeenOrBlind
            seen={<VerdictBadge word={side.word} isFrozen={false} />}
            blind={<VerdictBadge word={endpoint.verdict} isFrozen />}
          />
          {overlay === null ? null : (
            <span className="over if-seen">
              <VerdictIcon shape={overlay} />
              <span className={overlay === "stuck" ? "" : "sr"}>{words[overlay]}</span>
            </span>
          )}
        </span>
        <Numbers side={side} />
        <DueBar side={side} word={side.word} className="if-seen" />
      </SideOf>
    </td>
  );
}

/** Data age against the line at which new data is due; without a bar where that isn't known. */
function DueBar({
  side: { ageMs, countedAgeMs, cadenceMs },
  word,
  className = "",
}: {
  side: DrawnSide;
  word: Verdict;
  className?: string;
}) {
  const bar = word === "paused" ? null : dueBarFraction(countedAgeMs, cadenceMs);
  return (
    <span className={`plot ${className}`}>
      {bar === null || ageMs === null || cadenceMs === null ? null : (
        <AgeBar
          text={{
            word,
            barPermille: Math.round(bar.fraction * 1000),
            barLabel: words.bar(duration(ageMs), span(cadenceMs)),
            barOverflows: bar.overflow,
          }}
        />
      )}
    </span>
  );
}

/** A cell of which nothing is known. */
export function UnknownCell({ kind }: { kind: "then" | "now" }) {
  return (
    <td className={kind}>
      <SideOf>
        <Quiet text={words.notKnown} />
      </SideOf>
    </td>
  );
}

/** A text in place of a verdict. */
export function Quiet({ text }: { text: string }) {
  return <span className="quiet">{text}</span>;
}

function SideOf({ children }: { children: ReactNode }) {
  return <span className="side">{children}</span>;
}

/** A verdict. `isFrozen`: that of the last check, in the past tense. */
export function VerdictBadge({ word, isFrozen: isPast }: { word: Verdict; isFrozen: boolean }) {
  return isPast ? (
    <Badge word={word} text={words.was(word)} isFrozen />
  ) : (
    <Badge word={word} text={VERDICT_LABEL[word]} isFrozen={false} className={`b-${word}`} />
  );
}

function Numbers({ side: { ageMs, latenessMs } }: { side: Side }) {
  return (
    <>
      <span className="num">{ageMs === null ? "" : words.old(duration(ageMs))}</span>
      <span className="num late-by">
        {latenessMs === null || latenessMs <= 0 ? "" : words.overdue(duration(latenessMs))}
      </span>
    </>
  );
}

/** Longest name that fits into the narrowest column, of then and now at 320 px. */
const SHORT_NAME = 12;
/** Longest expected word within a name; longer runs may break anywhere. */
const LONGEST_WORD = 18;
const WORDS = new RegExp(String.raw`[^_\-./: ]{1,${LONGEST_WORD}}[_\-./: ]*|[_\-./: ]+`, "gu");

/**
 * A row's heading: the endpoint's name, which wraps between words in a narrow column, only if it is long.
 * @param children below the name
 */
export function EndpointName({
  endpointKey,
  children,
}: {
  endpointKey: string;
  children?: ReactNode;
}) {
  const [first = "", ...rest] =
    endpointKey.length <= SHORT_NAME ? [endpointKey] : (endpointKey.match(WORDS) ?? []);
  return (
    <th scope="row">
      {first}
      {rest.map((word, at) => (
        <Fragment key={at}>
          <wbr />
          {word}
        </Fragment>
      ))}
      {children}
    </th>
  );
}

/** What was promised for an endpoint; nothing where nothing was. @param when of the page, on the API's clock */
export function Promised({
  endpoint: { promise, verdict },
  when,
}: {
  endpoint: PresentEndpoint;
  when: { nowMs: number; timeZone: string };
}) {
  if (promise === null) return null;
  const said = (isBlind: boolean) =>
    words.promised(
      stillPromiseText(promise, when.nowMs, {
        timeZone: when.timeZone,
        isFrozen: isBlind,
        isPaused: verdict === "paused",
      }),
    );
  return (
    <small className="promised">
      <SeenOrBlind seen={said(false)} blind={said(true)} />
    </small>
  );
}

/** Why not all of an endpoint's age counts; nothing where it does. */
export function QuietWeek({ text }: { text: string }) {
  return text === "" ? null : <small className="promised">{text}</small>;
}

/** An endpoint now, as a side of a comparison. */
export function nowSide({
  judgement: { word, terms },
}: PresentEndpoint): DrawnSide & { word: Verdict } {
  return {
    word,
    ageMs: terms.ageMs,
    countedAgeMs: terms.countedAgeMs,
    latenessMs: knownLatenessMs(word, terms.latenessMs),
    cadenceMs: terms.cadenceMs,
  };
}

/** Whether the stored copy is of the last check before, because none was possible. */
export const isFrozen = ({ confidence }: SharedPast) => confidence === "blind";
