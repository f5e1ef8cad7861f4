import { LRUCache } from "lru-cache";
import type { SharedThen, Shows } from "@/lib/contracts/links";
import type { Clock } from "@/lib/server/clock";
import type { AuthSecrets } from "@/lib/server/keys";
import type { SecurityLog } from "@/lib/server/security-log";
import { andThen, type MaybePromise } from "@/lib/server/maybe-promise";
import type { Database } from "@/lib/server/store/database";
import type { DatabaseTime } from "@/lib/server/store/database-time";
import { readShareLink, type ListedLink } from "@/lib/server/store/links/share-links";
import { holds, type Access } from "./access";
import { createRevalidatingCache } from "./revalidating-cache";
import { secretHash } from "./secret";
import { createShareTokenCheck, isPreviewId } from "./share-token";

/** Addresses that we did not make, from one client within a window; then it waits. */
export const WRONG_TOKENS = { lengthMs: 10 * 60_000, limit: 600 } as const;
const COUNTED_CLIENTS = 10_000;
/** Each holds what its link stores. */
const REMEMBERED = 200;

/** A share link that shows something, as it was within the last seconds. It is nobody's session. */
export type SharedLink = {
  id: string;
  company: string;
  partnerName: string;
  /** The incident that is shared; null: the partner is. */
  incidentId: number | null;
  shows: Shows;
  /** As it was when it was shared. */
  stored: SharedThen;
  hasDetailsInPreview: boolean;
  previewId: string;
  sharedByName: string;
  /** On PostgreSQL's clock, as all instants of links. */
  sharedAt: Date;
  expiresAt: Date;
};

/** A share link that shows nothing any more. */
export type EndedLink = Pick<SharedLink, "id" | "sharedByName" | "sharedAt"> & {
  why: "revoked" | "expired" | "paused";
  /** When it ended; null: whoever made it may not share now. */
  at: Date | null;
};

export type ShareIdentity =
  | { state: "known"; link: SharedLink; isConfirmed: boolean }
  | { state: "ended"; ended: EndedLink }
  /** There is no such link, or never was. */
  | { state: "unknown" }
  /** The client has tried too many that we did not make; what it tries next is not looked at. */
  | { state: "limited"; retryAfterSeconds: number }
  | { state: "unavailable" };

export type ShareLinks = {
  /**
   * What a token stands for; at once where it was read lately. A refusal is noted, without the token. Never throws.
   * @param token as it stands in the address
   * @param address the client's true address
   */
  identify(token: string, address: string): MaybePromise<ShareIdentity>;
  /** The same by the name of a preview's picture, which is no secret of this kind: nothing is counted. */
  identifyPreview(previewId: string): MaybePromise<ShareIdentity>;
  /** @param word of the channel `links`; null: some may have been missed, and links are read again in seconds */
  forget(word: string | null): void;
};

type Good = { lastsMs: number; link: SharedLink };
type Ended = { lastsMs: number; ended: EndedLink };

/** Share links are rows that are checked, like sessions and displays. */
export function createShareLinks({
  authSecrets,
  database,
  access,
  time,
  clock,
  securityLog,
}: {
  authSecrets: AuthSecrets;
  database: Database;
  access: Access;
  time: DatabaseTime;
  clock: Clock;
  securityLog: SecurityLog;
}): ShareLinks {
  const isShareToken = createShareTokenCheck(authSecrets);
  const wrong = new LRUCache<string, { sinceMs: number; count: number }>({ max: COUNTED_CLIENTS });

  async function read(key: string): Promise<Good | Ended | null> {
    const by = key.length === 64 ? { tokenHash: key } : { previewId: key };
    const found = await readShareLink(database, by);
    if (found === null) return null;
    const { row } = found;
    const { judgedMs } = time.heard(found.databaseMs);
    const { id, company, partnerName, incidentId, shows, stored, hasDetailsInPreview, previewId } =
      row;
    // Some are called by their e-mail address, which is nobody else's to read.
    const [sharedByName = ""] = row.maker.name.split("@");
    const whose = { id, sharedByName, sharedAt: row.createdAt };
    const own = stateOfLink(row, access, judgedMs);
    const { state, at } =
      own.state === "open" && found.isPaused ? ({ state: "paused", at: null } as const) : own;
    if (state !== "open") {
      return { lastsMs: Number.POSITIVE_INFINITY, ended: { ...whose, why: state, at } };
    }
    return {
      lastsMs: row.expiresAt.getTime() - judgedMs,
      link: {
        ...whose,
        company,
        partnerName,
        incidentId,
        shows,
        stored,
        hasDetailsInPreview,
        previewId,
        expiresAt: row.expiresAt,
      },
    };
  }

  const rows = createRevalidatingCache({
    read,
    what: "links",
    clock,
    securityLog,
    most: REMEMBERED,
  });

  /** Seconds to wait; null: it may go on. */
  function countWrong(address: string): number | null {
    const nowMs = clock.monotonicMs();
    const before = wrong.get(address);
    const isOver = before === undefined || nowMs - before.sinceMs >= WRONG_TOKENS.lengthMs;
    const window = isOver ? { sinceMs: nowMs, count: 0 } : before;
    window.count += 1;
    if (isOver) wrong.set(address, window);
    if (window.count <= WRONG_TOKENS.limit) return null;
    return Math.max(1, Math.ceil((window.sinceMs + WRONG_TOKENS.lengthMs - nowMs) / 1000));
  }

  function look(key: string): MaybePromise<ShareIdentity> {
    // Nothing that a link opens can be changed by it, so all of it is reading.
    return andThen(rows.check(key, true), (checked): ShareIdentity => {
      if (checked.state !== "known") return checked;
      const { value, isConfirmed } = checked;
      return "ended" in value
        ? { state: "ended", ended: value.ended }
        : { state: "known", link: value.link, isConfirmed };
    });
  }

  return {
    identify(token, address) {
      if (!isShareToken(token)) {
        securityLog.record("share_link_refused", { address }, { why: "unknown" });
        const retryAfterSeconds = countWrong(address);
        return retryAfterSeconds === null
          ? { state: "unknown" }
          : { state: "limited", retryAfterSeconds };
      }
      return andThen(look(secretHash(token)), (identity) => {
        if (identity.state === "ended") {
          const { id, why } = identity.ended;
          securityLog.record("share_link_refused", { address }, { why, link: id });
        }
        return identity;
      });
    },

    identifyPreview: (previewId) =>
      isPreviewId(previewId) ? look(previewId) : { state: "unknown" },

    forget(word) {
      for (const key of word?.split(" ") ?? []) rows.forget(key);
    },
  };
}

/**
 * Where a link stands.
 * @param nowMs on the clock of its row
 */
export function stateOfLink(
  row: Pick<ListedLink, "company" | "revokedAt" | "expiresAt" | "maker">,
  access: Access,
  nowMs: number,
): { state: "open" | EndedLink["why"]; at: Date | null } {
  const { company, revokedAt, expiresAt, maker } = row;
  if (revokedAt !== null) return { state: "revoked", at: revokedAt };
  if (expiresAt.getTime() <= nowMs) return { state: "expired", at: expiresAt };
  const isGood = holds(access, maker, "share-links", company);
  // Nobody shows others what they may not see themselves.
  return isGood ? { state: "open", at: null } : { state: "paused", at: null };
}
