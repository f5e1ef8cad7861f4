import type { Scope } from "@/lib/contracts/v3";
import type { ExpensiveShape } from "./expensive-body";

/**
 * A fault of the upstream. The first group breaks the connection and by default affects every
 * request, the second the API's responses, the third the token endpoint only.
 */
export type Fault =
  /**
   * The listener is closed: connection refused. Ends with `setFault(null)`; `path` and `times` are
   * ignored.
   */
  | { kind: "down" }
  /** The connection is reset after the request was read. */
  | { kind: "reset" }
  /** Executes the request, then resets the connection instead of responding. */
  | { kind: "answer_lost" }
  /** Executes the request, then never responds. */
  | { kind: "answer_hangs" }
  | { kind: "error_500" }
  /** A 503, which asks to come back after `seconds`. */
  | { kind: "unavailable"; seconds: number }
  /** A proxy's error page instead of JSON. */
  | { kind: "html_404" | "html_502" }
  /** The correct response, but its headers only after `delayMs`. */
  | { kind: "slow_headers"; delayMs?: number }
  /** Accepts, reads, never responds. */
  | { kind: "hang" }
  /** Headers and half a body, then silence. */
  | { kind: "half_open" }
  /** The correct response, one byte every `intervalMs`. */
  | { kind: "drip"; intervalMs?: number }
  /** To another origin, which records whether the bearer token was sent. */
  | { kind: "redirect" }
  /** The correct response, with its `Date` header (and the rate limit's reset) shifted. */
  | { kind: "clock_skew"; skewMs: number }
  /** The correct response, as from an intermediate cache that has stored it for this long. */
  | { kind: "kept_by_cache"; ageSeconds: number }
  /** The correct response with this `Date`, as from a cache without an `Age` header. */
  | { kind: "same_date"; atMs: number }
  | { kind: "malformed_json" }
  /** Fewer bytes than `Content-Length`, then the end of the connection. */
  | { kind: "truncated" }
  | { kind: "wrong_types" }
  /** No rows, despite `total_count`. */
  | { kind: "empty_with_total" }
  /** Empty lists; each file can still be read individually. */
  | { kind: "no_files" }
  /** Unknown enum values and extra properties: valid, and to be stored. */
  | { kind: "unknown_values" }
  /** A valid start, then whitespace up to `bytes`. */
  | { kind: "huge_body"; bytes?: number }
  /** Few bytes on the wire, `bytes` when decoded. */
  | { kind: "gzip_bomb"; bytes?: number }
  /**
   * Valid JSON of `bytes` that is expensive to parse or to reject, below the size limit of reading.
   */
  | { kind: "expensive_body"; shape: ExpensiveShape; bytes?: number; status?: number }
  /** The correct response after this much whitespace, each byte in its own HTTP chunk. */
  | { kind: "tiny_chunks"; blanks?: number }
  /** This many items on every page, whatever was requested. */
  | { kind: "more_than_asked"; items: number }
  /**
   * In every item (or in the body itself, where it is not a list) the property is a text of this
   * length.
   */
  | { kind: "long_text"; member: string; length: number }
  /** Absurdly large `total_count` and `total_pages`. */
  | { kind: "enormous_total" }
  /** Valid but odd: NULs, lone surrogates, numbers out of range, properties named `__proto__`. */
  | { kind: "odd_values" }
  | { kind: "unauthorized" }
  | { kind: "forbidden" }
  /** A body with an `error_description` that people must never see. */
  | {
      kind: "rate_limited";
      /** Headers of the 429. `absurd` is a reset in the year 2100, `past` one in 1970. */
      headers?: "reset" | "retry_after" | "none" | "absurd" | "past";
      seconds?: number;
      /** Without the end of its body. */
      isTruncated?: true;
    }
  /** The correct response, with no requests left in the window, which ends in `seconds`. */
  | { kind: "spent"; seconds?: number }
  /**
   * Rows move one position towards the end with every page read: the last of a page is repeated on
   * the next.
   */
  | { kind: "shifting_pages" }
  /** The first row of every page after the first repeats an earlier one. */
  | { kind: "duplicate_ids" }
  /** `total_count` grows by one with every request. */
  | { kind: "changing_total" }
  | { kind: "token_rate_limited"; headers?: "reset" | "retry_after" | "none"; seconds?: number }
  | { kind: "invalid_client" }
  /** Grants only these, whatever was requested. */
  | { kind: "narrow_scope"; scopes: Scope[] }
  /** Tokens with this lifetime. */
  | { kind: "short_tokens"; seconds: number };

export type FaultOptions = {
  /** Only requests whose path below `/api/v3` starts with this, such as `/oauth/token`. */
  path?: string;
  /** Only requests with this method. */
  method?: string;
  /** Lets this many matching requests through first. */
  after?: number;
  /** Ends automatically after this many requests. */
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
  "unavailable",
  "html_404",
  "html_502",
  "slow_headers",
  "hang",
  "half_open",
  "drip",
  "clock_skew",
]);

/**
 * Whether a fault applies to a request.
 * @param path below `/api/v3`
 */
export function hits(fault: Fault, options: FaultOptions, method: string, path: string): boolean {
  if (options.method !== undefined && options.method !== method) return false;
  if (options.path !== undefined) return path.startsWith(options.path);
  if (TOKEN_FAULTS.has(fault.kind)) return path === TOKEN_PATH;
  return WIRE_FAULTS.has(fault.kind) || path !== TOKEN_PATH;
}
