import { z } from "zod";
import { checkedList } from "./checked-list";
import { CompanySummary } from "./dashboard";

/** The JSON of walls: pairing, what a display reads, and the fleet of displays. Instants are ISO 8601. */

export const WALL_LAYOUTS = ["auto", "landscape", "portrait"] as const;
export const WALL_THEMES = ["dark", "light"] as const;

/** `POST /api/pair` (begins, for whoever asks) and `GET /api/pair` (asks again), both for the screen itself. */
export const PairingView = z.discriminatedUnion("state", [
  z.object({ state: z.literal("waiting"), code: z.string(), expires_at: z.string() }),
  /** Its ten minutes are over, or too many wrong codes were typed: the screen begins again by itself. */
  z.object({ state: z.literal("ended") }),
  /** The answer carries the display's credential as a cookie; it is told once. */
  z.object({ state: z.literal("paired") }),
]);

/** What a display is allowed and asked to show. */
export const DisplaySettings = z.object({
  name: z.string().trim().min(1).max(60),
  /** Where it hangs; empty for nothing to say. */
  place: z.string().trim().max(60),
  /** Slugs; null: all companies, those of the future too. */
  companies: checkedList(z.string(), { least: 1, most: 200 }).nullable(),
  layout: z.enum(WALL_LAYOUTS),
  theme: z.enum(WALL_THEMES),
  /** IANA name. */
  time_zone: z.string().max(60),
  /** Null: until it is revoked. */
  expires_at: z.string().nullable(),
  /** Whether the name of who is on a problem stands beside it; absent: it does not. */
  shows_people: z.boolean().optional(),
});

/** `POST /api/displays`: an administrator types the code and says what the screen may show. */
export const PairingRequest = DisplaySettings.extend({
  code: z.string().max(40),
  /** Pairing again replaces this display's screen; null: a new display. */
  replaces: z.uuid().nullable(),
});

/** One display in the fleet. `PATCH /api/displays/[id]` takes `DisplaySettings`. */
export const Display = DisplaySettings.extend({
  id: z.uuid(),
  created_at: z.string(),
  created_by: z.string(),
  /** When its code was typed, while its screen has not connected since; null: it has. */
  waiting_since: z.string().nullable(),
  revoked_at: z.string().nullable(),
  /** When it last asked for anything; null: never. */
  last_seen_at: z.string().nullable(),
  /** When it last painted a picture of newer data, by its own word on our clock. */
  last_paint_at: z.string().nullable(),
  /** Age of the data it showed when it last reported, at that moment, seconds. */
  snapshot_age_seconds: z.number().nullable(),
  /** The build it runs; null: not reported. */
  build: z.string().nullable(),
  user_agent: z.string().nullable(),
  /** Somebody asked it to reload, and it has not reported a page loaded since. */
  reload_requested_at: z.string().nullable(),
});

/** `GET /api/displays`. */
export const DisplaysView = z.object({
  displays: z.array(Display),
  /** This server's build. */
  build: z.string(),
});

/**
 * `GET /api/wall`: what this screen shows, for a display's credential or a person's session. The rows come
 * from `GET /api/wall/companies/[company]/sync-status`, which is the company's `SyncStatusView`.
 */
export const WallView = z.object({
  /** Null: a person looks, by their session. */
  display: Display.pick({
    id: true,
    name: true,
    place: true,
    layout: true,
    theme: true,
    time_zone: true,
    expires_at: true,
  }).nullable(),
  companies: z.array(CompanySummary.pick({ slug: true, name: true })),
  /** Companies that this display is to show and that Plumbline reads no more; absent: none. */
  left: z.array(CompanySummary.pick({ slug: true, name: true })).optional(),
  /** Another one than the screen's own: time to reload, once. */
  build: z.string(),
  /** When a reload was last asked for; null: never. A screen older than this reloads. */
  reload_requested_at: z.string().nullable(),
});

/** `GET /api/wall/companies/[company]/incidents`: the open ones that somebody acknowledged. */
export const WallIncidentsView = z.object({
  incidents: z.array(
    z.object({
      /** Those that are in trouble in it now. */
      endpoint_ids: z.array(z.string()),
      /** The name of who is on it; null: this screen does not show people. */
      by: z.string().nullable(),
    }),
  ),
});

/** `POST /api/wall/report`: what the screen says of itself, about once a minute. */
export const WallReport = z.object({
  build: z.string().max(100),
  /** Epoch milliseconds on the server's clock as the screen knows it; null: nothing painted yet. */
  painted_at_ms: z.number().nullable(),
  snapshot_age_seconds: z.number().min(0).nullable(),
  /** When the page that shows the picture was loaded, epoch milliseconds on the server's clock. */
  loaded_at_ms: z.number().nullable(),
});

export type PairingView = z.infer<typeof PairingView>;
export type DisplaySettings = z.infer<typeof DisplaySettings>;
export type PairingRequest = z.infer<typeof PairingRequest>;
export type Display = z.infer<typeof Display>;
export type DisplaysView = z.infer<typeof DisplaysView>;
export type WallView = z.infer<typeof WallView>;
export type WallIncidentsView = z.infer<typeof WallIncidentsView>;
export type WallReport = z.infer<typeof WallReport>;
