import type { SharedThen, Shows } from "@/lib/contracts/links";
import type { Clock } from "@/lib/server/clock";
import type { AuthSecrets } from "@/lib/server/keys";
import type { SecurityLog } from "@/lib/server/security-log";
import { andThen, type MaybePromise } from "@/lib/server/maybe-promise";
import type { Database } from "@/lib/server/store/database";
import type { DatabaseTime } from "@/lib/server/store/database-time";
import { readShareLink, type ListedLink } from "@/lib/server/store/links/share-links";
import { holds, type Access } from "./access";
import { createRevalidatingCache, readSingly } from "./revalidating-cache";
import { secretHash } from "./secret";
import { createShareTokenCheck, isPreviewId } from "./share-token";
import { createWrongCredentials } from "./wrong-credentials";

/** Requests with invalid tokens allowed per client and window. */
export const WRONG_TOKENS = { lengthMs: 10 * 60_000, limit: 600 } as const;
/** Few, because each row includes the link's stored data. */
const REMEMBERED = 200;

/** A valid share link, as of the last few seconds. */
export type SharedLink = {
  id: string;
  company: string;
  partnerName: string;
  /** The shared incident; null: the link shares the partner. */
  incidentId: number | null;
  shows: Shows;
  /** The state when the link was created. */
  stored: SharedThen;
  hasDetailsInPreview: boolean;
  previewId: string;
  sharedByName: string;
  /** On PostgreSQL's clock, like all times of links. */
  sharedAt: Date;
  expiresAt: Date;
};

/** A share link that is revoked, expired or paused. */
export type EndedLink = Pick<SharedLink, "id" | "sharedByName" | "sharedAt"> & {
  why: "revoked" | "expired" | "paused";
  /** When it ended; null: paused, after a restore or because its creator currently may not share. */
  at: Date | null;
};

export type ShareIdentity =
  | { state: "known"; link: SharedLink; isConfirmed: boolean }
  | { state: "ended"; ended: EndedLink }
  /** No such link. */
  | { state: "unknown" }
  /** The token is invalid, and the client has sent too many invalid ones. */
  | { state: "limited"; retryAfterSeconds: number }
  | { state: "unavailable" };

export type ShareLinks = {
  /**
   * Looks up a link by its token; synchronously if it was read within `RECHECK_MS`. Refusals are written to the security
   * log, without the token. Never throws.
   * @param token from the URL
   * @param address the client address
   */
  identify(token: string, address: string): MaybePromise<ShareIdentity>;
  /** Same, by the id of the preview picture. That isn't a credential, so invalid ids aren't counted. */
  identifyPreview(previewId: string): MaybePromise<ShareIdentity>;
  /**
   * Removes links from the cache.
   * @param payload of the NOTIFY channel `links`: cache keys separated by spaces; null: notifications may have been
   *   missed, and links are revalidated within seconds anyway
   */
  forget(payload: string | null): void;
};

type Good = { lastsMs: number; link: SharedLink };
type Ended = { lastsMs: number; ended: EndedLink };

/** Share links are looked up in the database, like sessions and displays. */
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
  const wrong = createWrongCredentials(clock, WRONG_TOKENS);

  async function read(key: string): Promise<Good | Ended | null> {
    const by = key.length === 64 ? { tokenHash: key } : { previewId: key };
    const found = await readShareLink(database, by);
    if (found === null) return null;
    const { row } = found;
    const { judgedMs } = time.observe(found.databaseMs);
    const { id, company, partnerName, incidentId, shows, stored, hasDetailsInPreview, previewId } =
      row;
    // Some people's name is their email address, whose domain isn't shown to others.
    const sharedByName = row.maker.name.replaceAll(/(?<=\S)@\S+/gu, "");
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
    read: readSingly(read),
    what: "links",
    clock,
    securityLog,
    most: REMEMBERED,
  });

  function look(key: string): MaybePromise<ShareIdentity> {
    // Share links are read-only.
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
        const retryAfterSeconds = wrong.count(address);
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

    forget(payload) {
      for (const key of payload?.split(" ") ?? []) rows.forget(key);
    },
  };
}

/**
 * State of a link, and when it ended; `at` is null for open and paused links.
 * @param nowMs on PostgreSQL's clock
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
  // A link is valid only while its creator may share.
  return isGood ? { state: "open", at: null } : { state: "paused", at: null };
}
