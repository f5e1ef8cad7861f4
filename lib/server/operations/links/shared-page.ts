import type { SyncStatusView } from "@/lib/contracts/dashboard";
import type { SharedThen } from "@/lib/contracts/links";
import { delayedUntilMs, liveUntilMs } from "@/lib/domain/confidence";
import { VERDICTS, type Confidence, type Verdict } from "@/lib/domain/sync";
import { freshnessLedger } from "@/lib/domain/ledger";
import { instantMs } from "@/lib/domain/time/instant";
import { zoneName } from "@/lib/domain/time/zone-name";
import {
  absoluteTime,
  ageRange,
  clockTime,
  clockTimeWithSeconds,
  duration,
} from "@/lib/domain/words/format";
import { atMoment, datedMoment, dayMonthYear } from "@/lib/domain/words/dates";
import { CONFIDENCE_LABEL, VERDICT_LABEL } from "@/lib/domain/words/labels";
import { partnerHeadline } from "@/lib/domain/words/partner-headline";
import { thenHeadline, type TellingEndpoint } from "@/lib/domain/words/shared-words";
import {
  changeOf,
  thenAndNowHeadline,
  thenAndNowTimes,
  type Side,
} from "@/lib/domain/words/then-and-now";
import type { SharedLink } from "@/lib/server/auth/share-links";
import type { PlainAnswer } from "@/lib/server/http/answer";
import { html, type Html } from "@/lib/server/http/html";
import { cardTags, type Card } from "@/lib/server/http/preview/preview-card";
import { LOGO, confidenceMark, verdictMark } from "./marks";
import { page as words } from "./page-words";
import { seenMs, sharedNow, type SharedNow, type SharedRow } from "./shared-rows";

/** Reload interval of the page without scripts, seconds. */
const AGAIN_SECONDS = 60;

/** Keep a secret address out of referrers, and its page out of caches and indexes. */
export const SHARED_HEADERS = {
  "content-type": "text/html; charset=utf-8",
  // Only our own style and script; the page has no inline ones.
  "content-security-policy":
    "default-src 'none'; style-src 'self'; script-src 'self'; font-src 'self'; img-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  "cache-control": "private, no-store",
  "referrer-policy": "no-referrer",
  "x-robots-tag": "noindex, nofollow",
  "x-frame-options": "DENY",
} as const;

/**
 * `nowMs`: our clock, epoch milliseconds; `timeZone`: the reader's, IANA; `companyName`: current.
 */
export type SharedGiven = { companyName: string; nowMs: number; timeZone: string; card: Card };

/** The complete page of a link to a partner: then, now, or both. */
export function sharedPage(
  link: SharedLink,
  view: SyncStatusView,
  given: SharedGiven,
): PlainAnswer {
  const { companyName, nowMs } = given;
  const { partnerName, shows, sharedByName } = link;
  const now = shows === "then" ? null : sharedNow(view, partnerName, nowMs);
  return framed(link, given, {
    title: words.title(partnerName, sharedByName),
    what: words.what(companyName, partnerName),
    isLive: now !== null,
    main: mainOf(link, view, now, given),
  });
}

/**
 * The page around a link's content. It contains no address of ours, so that nothing leads further,
 * and only `main` changes while it is open.
 * @param shown.isLive whether it can change
 */
export function framed(
  { sharedByName, expiresAt }: SharedLink,
  { nowMs, timeZone, card }: SharedGiven,
  { title, what, isLive, main }: { title: string; what: string; isLive: boolean; main: Html },
): PlainAnswer {
  const ends = `${datedMoment(expiresAt.getTime(), nowMs, timeZone)} ${zoneName(expiresAt.getTime(), timeZone)}`;
  const refresh = isLive
    ? html`<noscript><meta http-equiv="refresh" content="${AGAIN_SECONDS}" /></noscript>`
    : null;
  const drawn = html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="robots" content="noindex, nofollow" />
        <title>${title}</title>
        ${cardTags(card)}
        <link rel="stylesheet" href="/share.css" />
        <link rel="icon" href="/icon.svg" />
        ${refresh}
        <script src="/share.js" defer></script>
      </head>
      <body>
        <header class="top">
          <span class="brand">${LOGO}<b>Plumbline</b></span>
          <p>
            <span>${what}</span>
            <span>${words.sharedBy(sharedByName, ends)}</span>
          </p>
        </header>
        ${main}
      </body>
    </html>`;
  return { status: 200, headers: SHARED_HEADERS, body: drawn.html };
}

function mainOf(
  link: SharedLink,
  view: SyncStatusView,
  now: SharedNow | null,
  given: SharedGiven,
): Html {
  const { partnerName, shows, stored } = link;
  const { nowMs, timeZone } = given;
  const note = html`<p class="note">${words.noteOf(shows)}</p>`;
  if (now === null) {
    return html`<main class="is-then">
      ${thenPart(partnerName, stored, { nowMs, timeZone })}${note}
    </main>`;
  }
  const body =
    shows === "both"
      ? comparison(partnerName, stored, now, timeZone)
      : nowPart(partnerName, now, timeZone);
  return liveMain(view, now, given, html`${body}${note}`);
}

/** The live part, below its confidence. */
export function liveMain(
  view: SyncStatusView,
  now: SharedNow,
  { nowMs, timeZone }: Pick<SharedGiven, "nowMs" | "timeZone">,
  body: Html,
): Html {
  const { last_success_at: lastSuccess, rhythm_seconds: rhythm } = view.source;
  const lastMs = instantMs(lastSuccess);
  // The reader's browser ages the page by its own clock, so it needs durations instead of instants.
  const left = (untilMs: number | null) => Math.max(0, Math.round((untilMs ?? nowMs) - nowMs));
  const state = html`class="is-${now.confidence}"
  data-delayed-in="${left(liveUntilMs(lastMs, rhythm))}"
  data-blind-in="${left(delayedUntilMs(lastMs, rhythm))}"`;
  return html`<main ${state}>${confidenceBar(now, timeZone)}${body}</main>`;
}

/** Confidence of the live part, with every state that it can reach while the page is open. */
function confidenceBar(now: SharedNow, timeZone: string): Html {
  const { asOfMs, apiNowMs, rows } = now;
  const last = asOfMs === null ? words.never : lastCheckText(asOfMs, apiNowMs, timeZone);
  // Same as in the bar of the partner's page.
  const { partnerData } = freshnessLedger(
    rows.map(({ row }) => row),
    { nowMs: apiNowMs, apiNowMs, lastSuccessMs: null, lastAnswerMs: null },
    0,
  );
  const label = (confidence: Confidence) =>
    html`<span class="cstate if-${confidence}"
      >${confidenceMark(confidence)}<b>${CONFIDENCE_LABEL[confidence]}</b></span
    >`;
  const ofData =
    partnerData === null
      ? null
      : html`<li class="if-seen">
          ${words.partnerData}
          <b>${ageRange(partnerData)}</b>
        </li>`;
  return html`<div class="conf" role="status">
      ${(["live", "delayed", "blind"] as const).map(label)}
      <ul>
        ${ofData}
        <li>${words.lastCheck} <b>${last}</b></li>
      </ul>
    </div>
    <p class="banner if-delayed">${words.delayed(last)}</p>
    <p class="banner if-blind">${asOfMs === null ? words.neverSeen : words.blind(last)}</p>`;
}

function thenPart(
  partnerName: string,
  stored: SharedThen,
  { nowMs, timeZone }: { nowMs: number; timeZone: string },
): Html {
  const atMs = seenMs(stored);
  const wasBlind = isFrozenThen(stored);
  const when = { atMs, wasBlind, nowMs, timeZone };
  const headline = thenHeadline(partnerName, thenEndpoints(stored), when);
  const { before } = thenAndNowTimes({ atMs, nowMs, timeZone });
  return html`<h1>${headline}</h1>
    ${thenRemark(stored, nowMs, timeZone)}
    <table>
      <caption class="sr">
        ${words.table}
      </caption>
      <thead>
        <tr>
          <th scope="col">${words.endpoint}</th>
          ${thenHead(stored, before, timeZone)}
        </tr>
      </thead>
      <tbody>
        ${stored.endpoints.map(
          (endpoint) =>
            html`<tr>
              <th scope="row">${endpointName(endpoint.endpoint_key)}</th>
              ${cell(thenSide(endpoint), "then", { isFrozen: isFrozenThen(stored) })}
            </tr>`,
        )}
      </tbody>
    </table>`;
}

function nowPart(partnerName: string, now: SharedNow, timeZone: string): Html {
  const { rows, apiNowMs, asOfMs } = now;
  if (rows.length === 0 || asOfMs === null) {
    return html`<h1>${asOfMs === null ? words.neverSeen : words.noLonger(partnerName)}</h1>`;
  }
  return html`<h1>${nowHeadlines(partnerName, now, timeZone)}</h1>
    <table>
      <caption class="sr">
        ${words.table}
      </caption>
      <thead>
        <tr>
          <th scope="col">${words.endpoint}</th>
          ${nowHead(asOfMs, apiNowMs, clockAndZone(apiNowMs, timeZone), timeZone)}
        </tr>
      </thead>
      <tbody>
        ${rows.map(
          (shown) =>
            html`<tr>
              <th scope="row">${endpointName(shown.row.endpoint_key)}</th>
              ${nowCell(shown)}
            </tr>`,
        )}
      </tbody>
    </table>`;
}

function comparison(
  partnerName: string,
  stored: SharedThen,
  now: SharedNow,
  timeZone: string,
): Html {
  const atMs = seenMs(stored);
  const wasBlind = isFrozenThen(stored);
  const { apiNowMs, asOfMs } = now;
  const times = thenAndNowTimes({ atMs, nowMs: apiNowMs, timeZone });
  const lines = pairUp(stored, now.rows);
  const headline = (isBlind: boolean) =>
    thenAndNowHeadline(lines, { atMs, wasBlind, nowMs: apiNowMs, timeZone, isBlind });
  return html`<h1>
      <span class="if-seen">${headline(false)}</span><span class="if-blind">${headline(true)}</span>
    </h1>
    ${thenRemark(stored, apiNowMs, timeZone)}${
      now.rows.length === 0 && asOfMs !== null
        ? html`<p class="sub">${words.noLonger(partnerName)}</p>`
        : null
    }
    <table>
      <caption class="sr">
        ${words.table}
      </caption>
      <thead>
        <tr>
          <th scope="col">${words.endpoint}</th>
          ${thenHead(stored, times.before, timeZone)}
          ${nowHead(asOfMs, apiNowMs, times.now, timeZone)}
          <th scope="col">${words.change}</th>
        </tr>
      </thead>
      <tbody>
        ${lines.map(
          ({ endpointKey, before, now: present, shown, change }) =>
            html`<tr class="${change.hasChanged ? "chg" : ""}">
              <th scope="row">${endpointName(endpointKey)}</th>
              ${cell(before, "then", { isFrozen: isFrozenThen(stored) })}${shown === null ? cell(present, "now", { isFrozen: false }) : nowCell(shown)}
              <td class="change">
                <span class="if-seen">${change.text}</span
                ><span class="if-blind">${words.notKnownNow}</span>
              </td>
            </tr>`,
        )}
      </tbody>
    </table>`;
}

/** Then and now of every endpoint known at either time; those that left come last. */
function pairUp(stored: SharedThen, rows: readonly SharedRow[]) {
  const before = new Map(stored.endpoints.map((endpoint) => [endpoint.id, endpoint]));
  const present = rows.map((shown) => {
    const then = before.get(shown.row.id);
    before.delete(shown.row.id);
    const [side, now] = [then === undefined ? null : thenSide(then), nowSide(shown)];
    return line(shown.row.endpoint_key, side, now, shown);
  });
  const left = [...before.values()].map((then) =>
    line(then.endpoint_key, thenSide(then), null, null),
  );
  return [...present, ...left];
}

function line(endpointKey: string, before: Side | null, now: Side | null, shown: SharedRow | null) {
  return { endpointKey, before, now, shown, change: changeOf(before, now) };
}

/** Heading of the "now" column: of the last check once the reader's browser is blind too. */
export function nowHead(
  asOfMs: number | null,
  apiNowMs: number,
  text: string,
  timeZone: string,
): Html {
  const last = asOfMs === null ? words.never : lastCheckText(asOfMs, apiNowMs, timeZone);
  return html`<th scope="col">
    <span class="if-seen">${timeText(apiNowMs, words.atNow(text), timeZone)}</span
    ><span class="if-blind">${words.atLast(last)}</span>
  </th>`;
}

function nowHeadlines(partnerName: string, now: SharedNow, timeZone: string): Html {
  const { rows, apiNowMs: nowMs, asOfMs } = now;
  const endpoints = (isBlind: boolean) =>
    rows.map(({ row, judgement }) => ({
      endpointKey: row.endpoint_key,
      word: isBlind ? row.verdict : judgement.word,
      judgement,
    }));
  const text = (isBlind: boolean) => {
    const frozen = isBlind ? { asOfMs: asOfMs ?? nowMs, nowMs, timeZone } : null;
    const said = partnerHeadline(partnerName, endpoints(isBlind), frozen);
    return html`${said.before}<span class="mono">${said.endpointKey}</span>${said.after}`;
  };
  return html`<span class="if-seen">${text(false)}</span
    ><span class="if-blind">${text(true)}</span>`;
}

/** A cell of the "now" column, with the last check's verdict for when the page goes blind. */
export function nowCell(shown: SharedRow): Html {
  const { overlays } = shown.judgement;
  const overlay = overlays.stuck ? "stuck" : overlays.syncing ? "syncing" : null;
  const mark =
    overlay === null
      ? null
      : html`<span class="over if-seen"
          >${verdictMark(overlay)}<span class="${overlay === "stuck" ? "" : "sr"}"
            >${words[overlay]}</span
          ></span
        >`;
  const { word, ageMs, latenessMs } = nowSide(shown);
  return html`<td class="now">
    <span class="side"
      ><span
        ><span class="if-seen">${badge(word, false)}</span
        ><span class="if-blind">${badge(shown.row.verdict, true)}</span>${mark}</span
      >${numbers({ word, ageMs, latenessMs })}</span
    >
  </td>`;
}

export function cell(
  side: Side | null,
  kind: "then" | "now",
  { isFrozen }: { isFrozen: boolean },
): Html {
  if (side === null || side.word === null) {
    return html`<td class="${kind}">
      <span class="side"><span class="quiet">${words.notKnown}</span></span>
    </td>`;
  }
  return html`<td class="${kind}">
    <span class="side"><span>${badge(side.word, isFrozen)}</span>${numbers(side)}</span>
  </td>`;
}

/** Longest name that fits into a narrow column. */
const SHORT_NAME = 16;
/** Longest expected word within a name; longer runs may break anywhere. */
const LONGEST_WORD = 18;
const WORDS = new RegExp(String.raw`[^_\-./: ]{1,${LONGEST_WORD}}[_\-./: ]*|[_\-./: ]+`, "gu");

/** An endpoint's name, which wraps between words in a narrow column, only if it is long. */
export function endpointName(endpointKey: string): Html {
  if (endpointKey.length <= SHORT_NAME) return html`${endpointKey}`;
  const [first = "", ...rest] = endpointKey.match(WORDS) ?? [];
  return html`${first}${rest.map((word) => html`<wbr />${word}`)}`;
}

export function badge(word: Verdict | null, isFrozen: boolean): Html {
  const shown = word ?? "unknown";
  return isFrozen
    ? html`<span class="badge was">${verdictMark(shown)}was ${shown}</span>`
    : html`<span class="badge b-${shown}">${verdictMark(shown)}${VERDICT_LABEL[shown]}</span>`;
}

function numbers({ ageMs, latenessMs }: Side): Html {
  const age = ageMs === null ? "" : duration(ageMs);
  const overdue = latenessMs === null || latenessMs <= 0 ? "" : words.overdue(duration(latenessMs));
  return html`<span class="num">${age}</span><span class="num late-by">${overdue}</span>`;
}

function nowSide({ judgement: { word, terms } }: SharedRow): Side & { word: Verdict } {
  const hasLateness = word !== "paused" && word !== "webhook" && word !== "unknown";
  return { word, ageMs: terms.ageMs, latenessMs: hasLateness ? terms.latenessMs : null };
}

export function thenSide(endpoint: SharedThen["endpoints"][number]): Side & { word: Verdict } {
  const { age_seconds: age, overdue_seconds: overdue } = endpoint;
  return {
    word: endpoint.verdict,
    ageMs: age === null ? null : age * 1000,
    latenessMs: overdue === null ? null : overdue * 1000,
  };
}

/** Stored endpoints in the form that sentences take. */
export function thenEndpoints(stored: SharedThen): TellingEndpoint[] {
  return stored.endpoints.map((endpoint) => ({
    endpointKey: endpoint.endpoint_key,
    ...thenSide(endpoint),
  }));
}

export const isFrozenThen = ({ confidence }: SharedThen) => confidence === "blind";

export function thenRemark(stored: SharedThen, nowMs: number, timeZone: string): Html | null {
  if (stored.confidence === "live") return null;
  const last = lastCheckText(instantMs(stored.as_of) ?? 0, nowMs, timeZone);
  const shared = atMoment(instantMs(stored.at) ?? 0, nowMs, timeZone);
  return html`<p class="sub">
    ${isFrozenThen(stored) ? words.thenBlind(shared, last) : words.thenDelayed(last)}
  </p>`;
}

/**
 * Heading of the "then" column: of the last check if blind then. @param before that check's moment
 * as text
 */
export function thenHead(stored: SharedThen, before: string, timeZone: string): Html {
  const text = (isFrozenThen(stored) ? words.atThenLast : words.atThen)(before);
  return html`<th scope="col" class="then">${timeText(seenMs(stored), text, timeZone)}</th>`;
}

function lastCheckText(asOfMs: number, nowMs: number, timeZone: string): string {
  const isToday = dayMonthYear(asOfMs, timeZone) === dayMonthYear(nowMs, timeZone);
  const time = isToday
    ? clockTimeWithSeconds(asOfMs, timeZone)
    : datedMoment(asOfMs, nowMs, timeZone);
  return `${time} ${zoneName(asOfMs, timeZone)}`;
}

export function clockAndZone(ms: number, timeZone: string): string {
  return `${clockTime(ms, timeZone)} ${zoneName(ms, timeZone)}`;
}

export function timeText(ms: number, text: string, timeZone: string): Html {
  return html`<time datetime="${new Date(ms).toISOString()}" title="${absoluteTime(ms, timeZone)}"
    >${text}</time
  >`;
}

/** Worst first, as in every list, for the picture. */
export function worstFirstEndpoints(stored: SharedThen): SharedThen["endpoints"] {
  return stored.endpoints.toSorted(
    (a, b) =>
      VERDICTS.indexOf(a.verdict) - VERDICTS.indexOf(b.verdict) ||
      (b.overdue_seconds ?? -1) - (a.overdue_seconds ?? -1),
  );
}
