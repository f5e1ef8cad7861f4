import type { StreamedResponse } from "@/lib/server/http/handler-response";
import { csvFile, csvPieces } from "@/lib/server/http/csv";
import type { DeletionView } from "@/lib/contracts/deletions";
import { externalIdOf, type Connected } from "@/lib/server/operations/connections/external-id";
import { deletionView, findDeletion, type DeletionRuntime } from "./deletion-view";

/**
 * Current state of a deletion: `GET .../deletions/[id]`.
 * @throws Failure `not_found`
 */
export async function getDeletion(
  runtime: DeletionRuntime,
  given: { company: string; id: string },
): Promise<DeletionView> {
  return deletionView(runtime, given.company, given.id);
}

const COLUMNS = [
  "file_id",
  "name",
  "is_baseline",
  "project",
  "created_at",
  "outcome",
  "outcome_at",
  "sent_at",
  "seen_later",
  "seen_later_at",
  "requested_by",
  "requested_at",
  "request_id",
  "external_id",
];

/**
 * Same as CSV, one row per confirmed file: `GET .../deletions/[id]/csv`. An empty outcome is still
 * pending; an empty `sent_at` means that no DELETE was sent. `seen_later` is `there` or `gone`
 * where a later read contradicts the outcome.
 * @throws Failure `not_found`
 */
export async function getDeletionCsv(
  runtime: DeletionRuntime & Connected,
  given: { company: string; id: string },
): Promise<StreamedResponse> {
  const { deletion, files } = await findDeletion(runtime, given.company, given.id);
  const externalId = externalIdOf(runtime.connections, given.company);
  const lines = files.map(({ fileId, confirmed, outcome, outcomeAt, sentAt, ...file }) => [
    fileId,
    confirmed.name,
    String(confirmed.is_baseline),
    confirmed.customer_project?.name ?? null,
    confirmed.created_at,
    outcome,
    outcomeAt?.toISOString() ?? null,
    sentAt?.toISOString() ?? null,
    file.contradictedBy,
    file.contradictedAt?.toISOString() ?? null,
    deletion.personName,
    deletion.requestedAt.toISOString(),
    deletion.requestId,
    externalId,
  ]);
  return csvFile(`deletion-${given.company}-${deletion.id}`, csvPieces(COLUMNS, lines));
}
