import { addDays, dayEndMs, dayOf } from "@/lib/domain/time/day";
import type { Display, DisplaySettings } from "@/lib/contracts/wall";
import { DAY_MS } from "@/lib/domain/time/units";

/** Maximum that the server accepts. */
export const LONGEST_DAYS = 730;

/** When a display expires: never, after a number of days, at the end of a day, or unchanged ("kept"). */
export const ENDS = ["never", "30", "365", "day", "kept"] as const;
export type End = (typeof ENDS)[number];

/** Content of the form. */
export type Draft = Omit<DisplaySettings, "expires_at"> & {
  end: End;
  /** "2026-12-21", if it expires at the end of a day; empty until chosen. */
  day: string;
  /** Unchanged expiry for "kept", ISO 8601. */
  keptUntil: string | null;
};

/** Draft of a new display. `timeZone`: the person's, a likely default. */
export function newDraft(timeZone: string): Draft {
  return {
    name: "",
    place: "",
    companies: null,
    layout: "auto",
    theme: "dark",
    time_zone: timeZone,
    end: "never",
    day: "",
    keptUntil: null,
  };
}

/**
 * Draft of an existing display.
 * @param nowMs epoch milliseconds; an expiry before it is dropped
 */
export function draftOf({ expires_at: expiresAt, ...display }: Display, nowMs: number): Draft {
  const { name, place, companies, layout, theme, time_zone, shows_people } = display;
  const isKept = expiresAt !== null && Date.parse(expiresAt) > nowMs;
  return {
    name,
    place,
    companies,
    layout,
    theme,
    time_zone,
    shows_people,
    end: isKept ? "kept" : "never",
    day: "",
    keptUntil: isKept ? expiresAt : null,
  };
}

/**
 * Request for a draft.
 * @param timeZone of the last day
 * @returns null while a name, a company or a future day is missing
 */
export function settingsOf(draft: Draft, nowMs: number, timeZone: string): DisplaySettings | null {
  const { end, day, keptUntil, ...settings } = draft;
  const endMs = endMsOf({ end, day, keptUntil }, nowMs, timeZone);
  const name = settings.name.trim();
  if (name === "" || settings.companies?.length === 0) return null;
  if (!isPossibleEnd(endMs, nowMs)) return null;
  return {
    ...settings,
    name,
    place: settings.place.trim(),
    expires_at: endMs === null ? null : new Date(endMs).toISOString(),
  };
}

/** Whether a draft's expiry is given, and neither past nor too far ahead. */
export function hasEnd(draft: Draft, nowMs: number, timeZone: string): boolean {
  return isPossibleEnd(endMsOf(draft, nowMs, timeZone), nowMs);
}

function isPossibleEnd(endMs: number | null, nowMs: number): boolean {
  return endMs === null || (endMs > nowMs && endMs <= nowMs + LONGEST_DAYS * DAY_MS);
}

/** First and last selectable day, for a date field. */
export function dayRange(nowMs: number, timeZone: string): { min: string; max: string } {
  const today = dayOf(nowMs, timeZone);
  return { min: today, max: addDays(today, LONGEST_DAYS - 1) };
}

/** Null: no expiry. NaN: an invalid day. */
function endMsOf(
  { end, day, keptUntil }: Pick<Draft, "end" | "day" | "keptUntil">,
  nowMs: number,
  timeZone: string,
): number | null {
  switch (end) {
    case "never":
      return null;
    case "kept":
      return keptUntil === null ? null : Date.parse(keptUntil);
    case "day":
      return dayEndMs(day, timeZone) ?? Number.NaN;
    case "30":
    case "365":
      return nowMs + Number(end) * DAY_MS;
  }
}
