import { Failure } from "@/lib/contracts/failure";
import { LinkExtension, type LinkEntry } from "@/lib/contracts/links";
import type { Person } from "@/lib/server/auth/person";
import { isUuid, notValid } from "@/lib/server/http/query";
import { changeShareLink } from "@/lib/server/store/links/share-links";
import { actionOf, linkView, noSuchLink, whoseOf, type LinksRuntime } from "./link-view";
import { NOT_SHARED, OVER } from "./words";
import { DAY_MS } from "@/lib/domain/time/units";

type Given = { company: string; person: Person; id: string };

/**
 * Sets a link to expire in the given number of days: `PATCH .../links/[id]`.
 * @throws Failure `invalid_request`; `not_found`; `conflict` when it has ended already
 */
export async function extendLink(
  runtime: LinksRuntime,
  { company, person, id, body }: Given & { body: unknown },
): Promise<LinkEntry> {
  const parsed = LinkExtension.safeParse(body);
  if (!isUuid(id)) throw noSuchLink();
  if (!parsed.success) throw notValid(parsed.error, NOT_SHARED);
  const { ms, judgedMs } = await runtime.auth.time.now();
  const row = await changeShareLink(
    runtime.database,
    { company, id, whose: whoseOf(person) },
    "extend",
    ({ revokedAt, expiresAt }) => {
      if (revokedAt !== null || expiresAt.getTime() <= judgedMs) {
        throw new Failure("conflict", OVER);
      }
      return { expiresAt: new Date(ms + parsed.data.days * DAY_MS) };
    },
    actionOf(runtime, person),
  );
  if (row === null) throw noSuchLink();
  return linkView(runtime, row, { person, nowMs: judgedMs });
}

/**
 * Ends a link: `DELETE .../links/[id]`. Its page shows nothing within seconds; one that has ended
 * is unchanged.
 * @param given.address the client's true address
 * @throws Failure `not_found`
 */
export async function revokeLink(
  runtime: LinksRuntime,
  { company, person, id, address }: Given & { address: string },
): Promise<Response> {
  if (!isUuid(id)) throw noSuchLink();
  const { ms, judgedMs } = await runtime.auth.time.now();
  let ended: string | null = null;
  const row = await changeShareLink(
    runtime.database,
    { company, id, whose: whoseOf(person) },
    "revoke",
    ({ revokedAt, expiresAt, tokenHash, previewId }) => {
      if (revokedAt !== null || expiresAt.getTime() <= judgedMs) return null;
      ended = `${tokenHash} ${previewId}`;
      return { revokedAt: new Date(ms), revokedByName: person.name };
    },
    actionOf(runtime, person),
  );
  if (row === null) throw noSuchLink();
  if (ended !== null) {
    // Other instances are notified; here it takes effect before the response.
    runtime.auth.shareLinks.forget(ended);
    runtime.securityLog.record("share_link_revoked", { address, person }, { link: row.id });
  }
  return new Response(null, { status: 204 });
}
