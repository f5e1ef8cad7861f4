import type { Delivery } from "@/lib/contracts/delivery";
import type { Clock } from "@/lib/server/clock";
import { pageMeta, readPageRequest, offsetAndLimit } from "@/lib/server/http/paging";
import { choice } from "@/lib/server/http/query";
import { idMember, type Connected } from "@/lib/server/operations/connections/external-id";
import type { Database } from "@/lib/server/store/database";
import { listDeliveries as list, type DeliveryRow } from "@/lib/server/store/delivery/outbox";

/** Messages to channels and by mail, by state: `GET /api/deliveries?state&page&per_page`. */
export async function listDeliveries(
  { database, connections }: { database: Database; clock: Clock } & Connected,
  { query }: { query: URLSearchParams },
): Promise<{ data: Delivery[]; meta: ReturnType<typeof pageMeta> }> {
  const place = readPageRequest(query);
  const state = choice(query, "state", ["queued", "unknown", "sent", "failed"] as const);
  const { rows, total } = await list(database.orm, {
    states: state === null ? null : [state],
    ...offsetAndLimit(place),
  });
  return { data: rows.map((row) => deliveryView(row, connections)), meta: pageMeta(place, total) };
}

function deliveryView(row: DeliveryRow, connections: Connected["connections"]): Delivery {
  const { id, type, to, toName, company, incidentId, message, dueAt, state, attempts } = row;
  return {
    id,
    type,
    to: toName,
    to_kind: to,
    company,
    ...(company !== null && idMember(connections, company)),
    incident_id: incidentId,
    text: message.text,
    due_at: dueAt.toISOString(),
    state,
    attempts,
    next_at: row.settledAt === null ? row.nextAt.toISOString() : null,
    said: row.said,
    settled_at: row.settledAt?.toISOString() ?? null,
  };
}
