import fc from "fast-check";
import { expect, test } from "vitest";
import { completed } from "@/lib/domain/steps";
import { icalendar, type CalendarEvent } from "./icalendar";

const EVENT: CalendarEvent = {
  uid: "quiet-1@plumbline",
  summary: "Quiet time: Procore",
  startMs: Date.parse("2026-11-26T22:00:00Z"),
  endMs: Date.parse("2026-11-27T06:00:00Z"),
  changedMs: Date.parse("2026-11-20T09:30:15.123Z"),
};
const NAMED = { name: "Northgate", description: "Planned quiet times." };

/** The properties of an event, unfolded and unescaped. */
const textOf = (events: readonly CalendarEvent[]) => completed(icalendar(events, NAMED));

function summariesOf(text: string): string[] {
  return text
    .replaceAll("\r\n ", "")
    .split("\r\n")
    .filter((line) => line.startsWith("SUMMARY:"))
    .map((line) =>
      line
        .slice("SUMMARY:".length)
        .replaceAll(/\\(.)/g, (_, one: string) => (one === "n" ? "\n" : one)),
    );
}

test("writes events in UTC, with CRLF", () => {
  const text = textOf([EVENT, { ...EVENT, uid: "promise-2", endMs: null }]);
  expect(text.split("\r\n")).toEqual([
    "BEGIN:VCALENDAR",
    "VERSION:2.0",
    "PRODID:-//Plumbline//Calendars//EN",
    "CALSCALE:GREGORIAN",
    "METHOD:PUBLISH",
    "X-WR-CALNAME:Northgate",
    "X-WR-CALDESC:Planned quiet times.",
    "REFRESH-INTERVAL;VALUE=DURATION:PT1H",
    "X-PUBLISHED-TTL:PT1H",
    "BEGIN:VEVENT",
    "UID:quiet-1@plumbline",
    "DTSTAMP:20261120T093015Z",
    "LAST-MODIFIED:20261120T093015Z",
    "DTSTART:20261126T220000Z",
    "DTEND:20261127T060000Z",
    "SUMMARY:Quiet time: Procore",
    "TRANSP:TRANSPARENT",
    "END:VEVENT",
    "BEGIN:VEVENT",
    "UID:promise-2",
    "DTSTAMP:20261120T093015Z",
    "LAST-MODIFIED:20261120T093015Z",
    "DTSTART:20261126T220000Z",
    "SUMMARY:Quiet time: Procore",
    "TRANSP:TRANSPARENT",
    "END:VEVENT",
    "END:VCALENDAR",
    "",
  ]);
});

test("escapes what has a meaning in texts", () => {
  const summary = "a\\b;c,d\r\nEND:VEVENT\u0007\u2028e";
  const text = textOf([{ ...EVENT, summary }]);
  expect(text).toContain(String.raw`SUMMARY:a\\b\;c\,d\nEND:VEVENT \ne`);
  expect(text.match(/^END:VEVENT/gm)).toHaveLength(1);
});

test("folds lines at 75 octets without cutting a character", () => {
  const summary = `Quiet time: ${"é😀".repeat(60)}`;
  const text = textOf([{ ...EVENT, summary }]);
  const lines = text.split("\r\n");
  expect(lines.filter((line) => line.startsWith(" ")).length).toBeGreaterThan(3);
  for (const line of lines) expect(Buffer.byteLength(line)).toBeLessThanOrEqual(75);
  expect(text).not.toContain("\uFFFD");
  expect(summariesOf(text)).toEqual([summary]);
});

test("keeps any name readable, and no name adds a line", () => {
  const text = fc.string({ unit: "grapheme", maxLength: 300 });
  fc.assert(
    fc.property(fc.array(text, { maxLength: 4 }), (summaries) => {
      const ics = textOf(summaries.map((summary) => ({ ...EVENT, summary })));
      const plain = summaries.map((summary) =>
        summary.replaceAll(/\r\n|[\r\n\u2028\u2029]/g, "\n").replaceAll(/(?!\n)\p{Cc}/gu, " "),
      );
      expect(summariesOf(ics)).toEqual(plain);
      for (const line of ics.split("\r\n")) expect(Buffer.byteLength(line)).toBeLessThanOrEqual(75);
    }),
  );
});
