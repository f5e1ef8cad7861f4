import type { Incident } from "@/lib/contracts/incidents";
import type { StreamedResponse } from "@/lib/server/http/handler-response";
import { isFoundIncident } from "@/lib/domain/incidents/found-incident";
import { needlesOf } from "@/lib/domain/text/fold-text";
import { csv, csvFile } from "@/lib/server/http/csv";
import { search } from "@/lib/server/http/query";
import { externalIdOf } from "@/lib/server/operations/connections/external-id";
import { incidentParts } from "./list-incidents";

type Runtime = Omit<Parameters<typeof incidentParts>[0], "connections"> & {
  readonly connections: readonly { company: string; name: string; externalId?: string }[];
};

const HEAD = [
  "company",
  "external_id",
  "incident",
  "partner_name",
  "state",
  "verdict",
  "worst_verdict",
  "began_at",
  "opened_at",
  "ended_at",
  "ending",
  "not_seen_since",
  "acknowledged_by",
  "acknowledged_at",
  "owner",
  "customer_told_at",
  "due_at",
  "next_sync_at",
  "endpoints",
];

/** An incident has its endpoints and people, so there are fewer than rows of other exports. */
const MAX_INCIDENTS = 10_000;

/**
 * The incidents of a company as CSV, with the filters of their list and the search of their page:
 * `GET .../incidents/csv?state&partner&verdict&mine&unacknowledged&q`. Of open ones that can't be seen now,
 * `not_seen_since` says since when.
 * @throws Failure `invalid_request`, also when there are more than a request may read
 */
export async function listIncidentsCsv(
  runtime: Runtime,
  given: Parameters<typeof incidentParts>[1],
  most = MAX_INCIDENTS,
): Promise<StreamedResponse> {
  const { company, query } = given;
  const needles = needlesOf(search(query, "q") ?? "");
  const parts = await incidentParts(runtime, given, most);
  const externalId = externalIdOf(runtime.connections, company);
  return csvFile(`incidents-${company}`, pieces(parts, needles, [company, externalId]));
}

async function* pieces(
  parts: AsyncIterable<readonly Incident[]>,
  needles: readonly string[],
  same: readonly [company: string, externalId: string | null],
): AsyncGenerator<string, void, void> {
  yield csv([HEAD]);
  for await (const part of parts)
    yield csv(
      part
        .filter((one) => isFoundIncident(one, needles))
        .map((one) => [
          ...same,
          one.id,
          one.partner_name,
          one.state,
          one.verdict,
          one.worst_verdict,
          one.began_at,
          one.opened_at,
          one.ended_at,
          one.ending,
          one.not_observed_since,
          one.acknowledged?.by ?? null,
          one.acknowledged?.at ?? null,
          one.owner?.name ?? null,
          one.told_at,
          one.due_at,
          one.next_sync_at,
          one.members.map(({ endpoint_key: key }) => key).join(" | "),
        ]),
    );
}
