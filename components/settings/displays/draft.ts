import { dayEndMs, dayOf } from "@/lib/domain/time/day";
import type { Display, DisplaySettings } from "@/lib/contracts/wall";
import { DAY_MS } from "@/lib/domain/time/units";

/** The server takes no later end. */
export const LONGEST_DAYS = 730;

/** How long a display may show: until it is revoked, for so many days, until a day is over, as it was. */
export const ENDS = ["never", "30", "365", "day", "kept"] as const;
export type End = (typeof ENDS)[number];

/** What stands in the form. */
export type Draft = Omit<DisplaySettings, "expires_at"> & {
  end: End;
  /** "2026-12-21", for the end "day"; empty until it is chosen. */
  day: string;
  /** For the end "kept", ISO 8601. */
  keptUntil: string | null;
};

/** The form of a display that is new. `timeZone`: that of the person, who is probably near. */
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
 * The form of a display that exists.
 * @param nowMs epoch milliseconds; an end before it is not kept
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
 * What is sent.
 * @param timeZone in which the day of the end is meant
 * @returns null while the form lacks something: a name, a company, a day to come
 */
export function settingsOf(draft: Draft, nowMs: number, timeZone: string): DisplaySettings | null {
  const { end, day, keptUntil, ...settings } = draft;
  const endMs = endMsOf({ end, day, keptUntil }, nowMs, timeZone);
  const name = settings.name.trim();
  if (name === "" || settings.companies?.length === 0) return null;
  if (endMs !== null && !(endMs > nowMs && endMs <= nowMs + LONGEST_DAYS * DAY_MS)) return null;
  return {
    ...settings,
    name,
    place: settings.place.trim(),
    expires_at: endMs === null ? null : new Date(endMs).toISOString(),
  };
}

/** The first and the last day that can be chosen, for a date field. */
export function dayRange(nowMs: number, timeZone: string): { min: string; max: string } {
  return {
    min: dayOf(nowMs, timeZone),
    max: dayOf(nowMs + (LONGEST_DAYS - 1) * DAY_MS, timeZone),
  };
}

/** Null: no end. NaN: a day that is none. */
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
