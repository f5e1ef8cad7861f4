import type { AllLinksView, LinkEntry, LinksView } from "@/lib/contracts/links";
import { LINK_ENDS_SOON_MS } from "@/lib/domain/links/ends-soon";
import { canSee, type Person } from "@/lib/server/auth/person";
import { foldText, includesAll, needlesOf } from "@/lib/domain/text/fold-text";
import { pageMeta, readPageRequest, offsetAndLimit } from "@/lib/server/http/paging";
import { choice, search } from "@/lib/server/http/query";
import { listShareLinks } from "@/lib/server/store/links/share-links";
import { linkView, whoseOf, type LinksRuntime } from "./link-view";

/** Above any realistic number of links; older ones are not searched. */
const MAX_SEARCHED = 5_000;

type Runtime = Pick<LinksRuntime, "database" | "auth" | "connections">;

/**
 * A company's share links, newest first, limited to the caller's own except for administrators:
 * `GET .../links?page&per_page`.
 * @throws Failure `invalid_request`
 */
export async function listLinks(
  runtime: Runtime,
  { company, person, query }: { company: string; person: Person; query: URLSearchParams },
): Promise<LinksView> {
  const place = readPageRequest(query);
  const scope = { companies: [company], madeBy: whoseOf(person) };
  const { links, total } = await listShareLinks(runtime.database, scope, offsetAndLimit(place));
  const { judgedMs: nowMs } = await runtime.auth.time.now();
  return {
    data: links.map((row) => linkView(runtime, row, { person, nowMs })),
    meta: pageMeta(place, total),
  };
}

/**
 * Same for all companies that the caller may see: `GET /api/links?page&per_page&q&whose&state`.
 * Soonest expiry first, ended ones last.
 * @throws Failure `invalid_request`
 */
export async function listAllLinks(
  runtime: Runtime,
  { person, query }: { person: Person; query: URLSearchParams },
): Promise<AllLinksView> {
  const place = readPageRequest(query);
  const needles = needlesOf(search(query, "q") ?? "");
  const isMine = choice(query, "whose", ["mine"] as const) !== null;
  const state = choice(query, "state", ["open", "ended"] as const);
  const whose = whoseOf(person);
  const companies = runtime.connections
    .map(({ company }) => company)
    .filter((company) => canSee(person, company));
  const { links } = await listShareLinks(
    runtime.database,
    { companies, madeBy: whose },
    { offset: 0, limit: MAX_SEARCHED },
  );
  const { judgedMs: nowMs } = await runtime.auth.time.now();
  const all = links.map((row) => linkView(runtime, row, { person, nowMs }));
  const found = all
    .filter((link) => !isMine || link.made_by.is_you)
    .filter((link) => state === null || isOver(link) === (state === "ended"))
    .filter((link) => {
      const words = foldText(
        `${link.partner} ${link.incident === null ? "" : `incident ${link.incident}`} ${link.company.name} ${link.for ?? ""} ${link.made_by.name}`,
      );
      return includesAll(words, needles);
    })
    .toSorted((a, b) => Number(isOver(a)) - Number(isOver(b)) || byEnd(a, b));
  const open = all.filter((link) => !isOver(link));
  const { offset, limit } = offsetAndLimit(place);
  return {
    data: found.slice(offset, offset + limit),
    meta: pageMeta(place, found.length),
    counts: {
      open: open.length,
      ended: all.length - open.length,
      ending_soon: open.filter((link) => endOf(link) - nowMs < LINK_ENDS_SOON_MS).length,
    },
    lists_everyones: whose === null,
  };
}

const isOver = ({ state }: LinkEntry) => state === "revoked" || state === "expired";
const endOf = ({ expires_at: at }: LinkEntry) => Date.parse(at);

/** Soonest expiry first; then ended ones, latest first. */
function byEnd(a: LinkEntry, b: LinkEntry): number {
  return isOver(a) ? endOf(b) - endOf(a) : endOf(a) - endOf(b);
}
