import type { ConnectionView } from "@/lib/contracts/connections";

/** When the tests of the list look. */
export const NOW_MS = Date.parse("2026-03-02T09:00:00Z");
export const ago = (seconds: number) => new Date(NOW_MS - seconds * 1000).toISOString();
export const ahead = (seconds: number) => ago(-seconds);

/** A live connection of `CONNECTIONS_FILE`. */
export const CONNECTION: ConnectionView = {
  slug: "tarn",
  name: "Tarn Airports",
  host: "api.tarn.example",
  base_url: "https://api.tarn.example/api/v3",
  client_id: "plumbline",
  origin: "file",
  set_aside: null,
  owner: null,
  time_zone: null,
  external_id: null,
  paused_at: null,
  queue: null,
  confidence: "live",
  reason: null,
  last_success_at: ago(12),
  next_check_at: ahead(8),
  rhythm_seconds: 60,
  check_seconds: 20,
  requests_per_minute: 3,
  scopes: null,
  token: null,
  limited_until: null,
  last_gap: null,
};
