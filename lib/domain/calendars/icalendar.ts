import { mapSteps, type Steps } from "@/lib/domain/steps";

/** Text of calendars (RFC 5545). Instants are epoch milliseconds, written in UTC. */

export type CalendarEvent = {
  /** The same for the same event, however often the calendar is read. */
  uid: string;
  summary: string;
  startMs: number;
  /** Null: it is an instant. */
  endMs: number | null;
  /** When it was last changed. */
  changedMs: number;
};

/** Longest line, octets without its end. */
const MAX_OCTETS = 75;
const encoder = new TextEncoder();

/**
 * A calendar as text.
 * @param given.description one sentence about it
 */
export function* icalendar(
  events: readonly CalendarEvent[],
  { name, description }: { name: string; description: string },
): Steps<string> {
  const head = [
    "BEGIN:VCALENDAR",
    "VERSION:2.0",
    "PRODID:-//Plumbline//Calendars//EN",
    "CALSCALE:GREGORIAN",
    "METHOD:PUBLISH",
    `X-WR-CALNAME:${escaped(name)}`,
    `X-WR-CALDESC:${escaped(description)}`,
    "REFRESH-INTERVAL;VALUE=DURATION:PT1H",
    "X-PUBLISHED-TTL:PT1H",
  ];
  const body = yield* mapSteps(events, (event) => textOf(eventLines(event)));
  return [textOf(head), ...body, textOf(["END:VCALENDAR"])].join("");
}

function textOf(lines: readonly string[]): string {
  return lines.map((line) => `${folded(line)}\r\n`).join("");
}

function eventLines({ uid, summary, startMs, endMs, changedMs }: CalendarEvent): string[] {
  return [
    "BEGIN:VEVENT",
    `UID:${escaped(uid)}`,
    `DTSTAMP:${utc(changedMs)}`,
    `LAST-MODIFIED:${utc(changedMs)}`,
    `DTSTART:${utc(startMs)}`,
    ...(endMs === null ? [] : [`DTEND:${utc(endMs)}`]),
    `SUMMARY:${escaped(summary)}`,
    "TRANSP:TRANSPARENT",
    "END:VEVENT",
  ];
}

/** "20261126T080000Z" */
function utc(ms: number): string {
  return `${new Date(ms).toISOString().slice(0, 19).replaceAll(/[-:]/g, "")}Z`;
}

/** As a value of type TEXT, which can't contain control characters. */
function escaped(text: string): string {
  return text
    .replaceAll(/[\\;,]/g, String.raw`\$&`)
    .replaceAll(/\r\n|[\r\n\u2028\u2029]/g, String.raw`\n`)
    .replaceAll(/\p{Cc}/gu, " ");
}

/** A line in parts of at most 75 octets, none of which ends within a character. */
function folded(line: string): string {
  if (encoder.encode(line).length <= MAX_OCTETS) return line;
  const parts: string[] = [];
  let [part, octets] = ["", 0];
  for (const character of line) {
    const length = encoder.encode(character).length;
    if (octets + length > MAX_OCTETS) {
      parts.push(part);
      // Later parts begin with a space.
      [part, octets] = ["", 1];
    }
    part += character;
    octets += length;
  }
  return [...parts, part].join("\r\n ");
}
