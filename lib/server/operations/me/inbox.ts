import { InboxRead, type InboxItem } from "@/lib/contracts/delivery";
import { canSee, type Person } from "@/lib/server/auth/person";
import type { Clock } from "@/lib/server/clock";
import { narrowed } from "@/lib/domain/words/messages/several-message";
import { pageMeta, readPageRequest, offsetAndLimit } from "@/lib/server/http/paging";
import { notValid } from "@/lib/server/http/query";
import { idMember, type Connected } from "@/lib/server/operations/connections/external-id";
import type { Database } from "@/lib/server/store/database";
import { markRead, readInbox, type DeliveryRow } from "@/lib/server/store/delivery/outbox";
import { NOT_READ } from "./words";

type InboxRuntime = { database: Database; clock: Clock } & Connected;
type InboxView = { data: InboxItem[]; unread: number; meta: ReturnType<typeof pageMeta> };

/**
 * The caller's inbox, latest first: `GET /api/me/inbox?page&per_page`. Items about companies that
 * they may no longer see are left out.
 * @throws Failure `invalid_request`
 */
export async function getInbox(
  { database, connections }: InboxRuntime,
  { person, query }: { person: Person; query: URLSearchParams },
): Promise<InboxView> {
  const place = readPageRequest(query);
  const visible = new Set(
    connections.flatMap(({ company }) => (canSee(person, company) ? [company] : [])),
  );
  const { rows, total, unread } = await readInbox(
    database.orm,
    {
      personId: person.id,
      companies: [...visible],
    },
    offsetAndLimit(place),
  );
  const data = rows.flatMap((row) => {
    const message = narrowed(row, (company) => visible.has(company));
    return message === null ? [] : inboxItem({ ...row, message }, connections);
  });
  return { data, unread, meta: pageMeta(place, total) };
}

/**
 * Marks items as read up to one that the caller has seen: `POST /api/me/inbox/read`.
 * @throws Failure `invalid_request`
 */
export async function readUntil(
  { database, clock }: InboxRuntime,
  { person, body }: { person: Person; body: unknown },
): Promise<Response> {
  const parsed = InboxRead.safeParse(body);
  if (!parsed.success) throw notValid(parsed.error, NOT_READ);
  const given = { untilId: parsed.data.until, nowMs: clock.nowMs() };
  await markRead(database.orm, person.id, given);
  return new Response(null, { status: 204 });
}

function inboxItem(
  { id, type, company, incidentId, message, readAt }: DeliveryRow,
  connections: Connected["connections"],
): InboxItem {
  const { pathname } = new URL(message.url);
  return {
    id,
    type,
    at: message.at,
    company,
    ...(company !== null && idMember(connections, company)),
    incident_id: incidentId,
    text: message.text,
    href: pathname,
    read_at: readAt?.toISOString() ?? null,
  };
}
