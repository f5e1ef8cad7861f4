import { z } from "zod";
import { checkedList } from "./checked-list";
import { CompanyName } from "./companies/company-name";
import { enteredLine } from "@/lib/domain/text/entered-text";

/** The JSON of walls: pairing, data of a display, and the fleet of displays. Instants are ISO 8601. */

export const WALL_LAYOUTS = ["auto", "landscape", "portrait"] as const;
export const WALL_THEMES = ["dark", "light"] as const;

/** `POST /api/pair` (starts pairing, for any client) and `GET /api/pair` (polls), both called by the screen itself. */
export const PairingView = z.discriminatedUnion("state", [
  z.object({ state: z.literal("waiting"), code: z.string(), expires_at: z.string() }),
  /**
   * The code expired after ten minutes, or too many wrong codes were entered: the screen restarts pairing
   * automatically.
   */
  z.object({ state: z.literal("ended") }),
  /** The response sets the display's credential as a cookie, only once. */
  z.object({ state: z.literal("paired") }),
]);

/** Settings of a display. */
export const DisplaySettings = z.object({
  name: z.string().overwrite(enteredLine).min(1).max(60),
  /** Where it hangs; may be empty. */
  place: z.string().overwrite(enteredLine).max(60),
  /** Slugs; null: all companies, including future ones. */
  companies: checkedList(z.string(), { min: 1, max: 200 }).nullable(),
  layout: z.enum(WALL_LAYOUTS),
  theme: z.enum(WALL_THEMES),
  /** IANA name. */
  time_zone: z.string().max(60),
  /** Null: until it is unpaired. */
  expires_at: z.string().nullable(),
  /** Whether the name of the person who acknowledged an incident is shown; absent: it isn't. */
  shows_people: z.boolean().optional(),
});

/** `POST /api/displays`: sent by an administrator who enters the code and chooses what the screen may show. */
export const PairingRequest = DisplaySettings.extend({
  code: z.string().max(40),
  /** The display whose screen is replaced; null: a new display. */
  replaces: z.uuid().nullable(),
});

/** One display in the fleet. `PATCH /api/displays/[id]` takes `DisplaySettings`. */
export const Display = DisplaySettings.extend({
  id: z.uuid(),
  created_at: z.string(),
  created_by: z.string(),
  /** When it was paired, if its screen hasn't connected since; otherwise null. */
  waiting_since: z.string().nullable(),
  revoked_at: z.string().nullable(),
  /** Its last request; null: never. */
  last_seen_at: z.string().nullable(),
  /** When it last painted newer data, as reported by the screen, on our clock. */
  last_paint_at: z.string().nullable(),
  /** Age of the displayed data at its last report, seconds. */
  snapshot_age_seconds: z.number().nullable(),
  /** The build it runs; null: not reported. */
  build: z.string().nullable(),
  user_agent: z.string().nullable(),
  /** When a reload was requested, if it hasn't reported a page load since. */
  reload_requested_at: z.string().nullable(),
});

/** `GET /api/displays`. */
export const DisplaysView = z.object({
  displays: z.array(Display),
  /** This server's build. */
  build: z.string(),
});

/**
 * `GET /api/wall`: what this screen shows, authorised by a display's credential or a person's session. The rows are in
 * `GET /api/wall/companies/[company]/sync-status`, the company's `SyncStatusView`.
 */
export const WallView = z.object({
  /** Null: viewed by a person with their session. */
  display: Display.pick({
    id: true,
    name: true,
    place: true,
    layout: true,
    theme: true,
    time_zone: true,
    expires_at: true,
  }).nullable(),
  companies: z.array(CompanyName),
  /** Companies of this display that are no longer connected; absent: none. */
  left: z.array(CompanyName).optional(),
  /** If it differs from the screen's own build, the screen reloads once. */
  build: z.string(),
  /** When a reload was last requested; null: never. A screen loaded before that reloads. */
  reload_requested_at: z.string().nullable(),
});

/** `GET /api/wall/companies/[company]/incidents`: the open ones, and planned quiet times. Instants are of the API's clock. */
export const WallIncidentsView = z.object({
  open: z.array(
    z.object({
      id: z.int(),
      partner_name: z.string(),
      /** The fleet incident that it is in; null: none that affects another company of this screen. Absent: not known. */
      fleet_id: z.uuid().nullable().optional(),
      /** Its members that haven't ended, and when the trouble of each began. */
      members: z.array(z.object({ endpoint_id: z.string(), began_at: z.string() })),
      /** Null: it isn't acknowledged. `by`: the person's name; null: this screen doesn't show people. */
      acknowledged: z.object({ by: z.string().nullable() }).nullable(),
    }),
  ),
  /** Those in effect; null: of every partner, or of every endpoint. */
  quiet: z.array(z.object({ partner: z.string().nullable(), endpoint_id: z.string().nullable() })),
});

/** `POST /api/wall/report`: the screen's status, about once a minute. */
export const WallReport = z.object({
  build: z.string().max(100),
  /** Epoch milliseconds on the server's clock as estimated by the screen; null: nothing painted yet. */
  painted_at_ms: z.number().nullable(),
  snapshot_age_seconds: z.number().min(0).nullable(),
  /** When the displayed page was loaded, epoch milliseconds on the server's clock. */
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
