import type { Scope } from "@/lib/contracts/v3";
import type { ExpensiveShape } from "./expensive-body";

/**
 * A way in which the upstream misbehaves. The first group breaks the wire and by default hits every
 * request, the second the answers of the API, the third the token endpoint only.
 */
export type Fault =
  /** The listener is closed: connection refused. Ends with `setFault(null)`; `path` and `times` are ignored. */
  | { kind: "down" }
  /** The connection is reset once the request was read. */
  | { kind: "reset" }
  /** Does what it was asked to, then resets the connection instead of answering. */
  | { kind: "answer_lost" }
  /** Does what it was asked to, then never answers. */
  | { kind: "answer_hangs" }
  | { kind: "error_500" }
  /** A proxy's page instead of JSON. */
  | { kind: "html_502" }
  /** The right answer, but its headers only after `delayMs`. */
  | { kind: "slow_headers"; delayMs?: number }
  /** Accepts, reads, never answers. */
  | { kind: "hang" }
  /** Headers and half a body, then silence. */
  | { kind: "half_open" }
  /** The right answer, one byte every `intervalMs`. */
  | { kind: "drip"; intervalMs?: number }
  /** To another origin, which records whether the bearer token came along. */
  | { kind: "redirect" }
  /** The right answer, the `Date` header (and the rate limit's reset) this far off. */
  | { kind: "clock_skew"; skewMs: number }
  /** The right answer, as a cache on the way gives it that has kept it for this long. */
  | { kind: "kept_by_cache"; ageSeconds: number }
  /** The right answer with this `Date`, as a cache gives it that doesn't say how old it is. */
  | { kind: "same_date"; atMs: number }
  | { kind: "malformed_json" }
  /** Fewer bytes than `Content-Length` says, then the end of the connection. */
  | { kind: "truncated" }
  | { kind: "wrong_types" }
  /** No row, though `total_count` says otherwise. */
  | { kind: "empty_with_total" }
  /** The lists say that there is nothing at all; each file can be read by itself. */
  | { kind: "no_files" }
  /** Unknown enum values and extra members: legal, and to be kept. */
  | { kind: "unknown_values" }
  /** A valid beginning, then blanks up to `bytes`. */
  | { kind: "huge_body"; bytes?: number }
  /** Few bytes on the wire, `bytes` when decoded. */
  | { kind: "gzip_bomb"; bytes?: number }
  /** Legal JSON of `bytes` that is expensive to parse or to refuse, below the size at which reading stops. */
  | { kind: "expensive_body"; shape: ExpensiveShape; bytes?: number; status?: number }
  /** The right answer behind so many blanks, each byte in an HTTP chunk of its own. */
  | { kind: "tiny_chunks"; blanks?: number }
  /** So many items on every page, whatever was asked. */
  | { kind: "more_than_asked"; items: number }
  /** In every item (or in the answer itself, where it is no list) the member is a text of this length. */
  | { kind: "long_text"; member: string; length: number }
  /** `total_count` and `total_pages` beyond all sense. */
  | { kind: "enormous_total" }
  /** Legal and odd: NULs, halves of characters, numbers that no number holds, members named `__proto__`. */
  | { kind: "odd_values" }
  | { kind: "unauthorized" }
  | { kind: "forbidden" }
  /** A body with an `error_description` that must never reach a person. */
  | {
      kind: "rate_limited";
      /** Which headers come with the 429. `absurd` is a reset in the year 2100, `past` one in 1970. */
      headers?: "reset" | "retry_after" | "none" | "absurd" | "past";
      seconds?: number;
    }
  /** The right answer, and no request left in the window, which ends in `seconds`. */
  | { kind: "spent"; seconds?: number }
  /** Rows move one place towards the end with every page read: the last of a page comes again on the next. */
  | { kind: "shifting_pages" }
  /** The first row of every page after the first repeats an earlier one. */
  | { kind: "duplicate_ids" }
  /** `total_count` grows by one with every request. */
  | { kind: "changing_total" }
  | { kind: "token_rate_limited"; headers?: "reset" | "retry_after" | "none"; seconds?: number }
  | { kind: "invalid_client" }
  /** Grants only these, whatever was asked. */
  | { kind: "narrow_scope"; scopes: Scope[] }
  /** Tokens that last this long. */
  | { kind: "short_tokens"; seconds: number };

export type FaultOptions = {
  /** Only requests whose path below `/api/v3` begins with this, such as `/oauth/token`. */
  path?: string;
  /** Only requests of this method. */
  method?: string;
  /** Lets this many such requests through first. */
  after?: number;
  /** Ends by itself after hitting this many requests. */
  times?: number;
};

const TOKEN_PATH = "/oauth/token";
const TOKEN_FAULTS: ReadonlySet<Fault["kind"]> = new Set([
  "token_rate_limited",
  "invalid_client",
  "narrow_scope",
  "short_tokens",
]);
const WIRE_FAULTS: ReadonlySet<Fault["kind"]> = new Set([
  "down",
  "reset",
  "answer_lost",
  "answer_hangs",
  "error_500",
  "html_502",
  "slow_headers",
  "hang",
  "half_open",
  "drip",
  "clock_skew",
]);

/**
 * Whether a fault hits a request.
 * @param path below `/api/v3`
 */
export function hits(fault: Fault, options: FaultOptions, method: string, path: string): boolean {
  if (options.method !== undefined && options.method !== method) return false;
  if (options.path !== undefined) return path.startsWith(options.path);
  if (TOKEN_FAULTS.has(fault.kind)) return path === TOKEN_PATH;
  return WIRE_FAULTS.has(fault.kind) || path !== TOKEN_PATH;
}
