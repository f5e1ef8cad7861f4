import { createHash, randomUUID } from "node:crypto";
import { DeletionRequest, type ConfirmedFile } from "@/lib/contracts/deletions";
import { Failure } from "@/lib/contracts/failure";
import { UNDO_MS } from "@/lib/domain/deletion";
import type { Person } from "@/lib/server/auth/person";
import {
  findByKey,
  insertDeletion,
  readKnownFiles,
} from "@/lib/server/store/deletions/ask-deletion";
import { readPause } from "@/lib/server/store/pauses/pauses";
import { selectFiles } from "@/lib/server/store/files/find-schedule-files";
import { toStorable } from "@/lib/server/store/storable";
import { deletionView, type DeletionRuntime } from "./deletion-view";
import { isUuid, invalid } from "@/lib/server/http/query";
import { filtersOf } from "@/lib/server/operations/files/file-filters";
import {
  NO_FILES,
  KEY_USED,
  TOO_MANY,
  DISK_FULL,
  NO_SCOPE,
  NOT_CONNECTED,
  FILES_CHANGED,
} from "./words";

type Given = {
  company: string;
  person: Person;
  /** Throws unless the caller has signed in recently. */
  requireRecentSignIn: () => Promise<void>;
  /** The header `Idempotency-Key`. */
  key: string | null;
  body: unknown;
};

/** Deleting more files than this at once, or any baseline, requires a recent sign-in. */
const FILES_WITHOUT_PROOF = 5;
/** Open deletions of one person in one company; larger sets fit into one deletion. */
const MAX_OPEN = 10;

/**
 * Accepts a deletion as confirmed: `POST .../deletions`. Nothing is sent upstream for ten seconds.
 * The same key with the same body is the same deletion, even concurrently.
 * @throws Failure `invalid_request`; `idempotency_mismatch`; `forbidden` when upstream doesn't
 *   grant deletion; `reauthentication_required` for a baseline, or for more than five files;
 *   `conflict` when the matching files have changed; `too_many_requests`; `unavailable`
 */
export async function deleteFiles(runtime: DeletionRuntime, given: Given): Promise<Response> {
  const { database, clock } = runtime;
  const { company, person, key } = given;
  if (key === null || !isUuid(key)) throw invalid("Idempotency-Key", "must be a UUID");
  const parsed = DeletionRequest.safeParse(given.body);
  if (!parsed.success) {
    throw new Failure("invalid_request", NO_FILES);
  }
  const request = canonical(parsed.data);
  const bodyHash = createHash("sha256").update(JSON.stringify(request)).digest("hex");

  const earlier = await findByKey(database.orm, company, person.id, key);
  if (earlier !== null) return answerEarlier(runtime, company, earlier, bodyHash);
  await refuseUnlessPossible(runtime, given);
  const files =
    "files" in request ? request.files : await matchingFiles(runtime, company, request.matching);

  if (files.length > FILES_WITHOUT_PROOF || files.some((file) => file.is_baseline)) {
    await given.requireRecentSignIn();
  }
  const nowMs = clock.nowMs();
  const requestId = randomUUID();
  const known = await readKnownFiles(
    database.orm,
    company,
    files.map(({ id }) => id),
  );
  const inserted = await insertDeletion(database, {
    company,
    person: { id: person.id, name: person.name, email: person.email },
    idempotencyKey: key,
    bodyHash,
    requestId,
    nowMs,
    undoUntilMs: nowMs + UNDO_MS,
    files: files.map((confirmed) => ({
      confirmed,
      fileType: known.get(confirmed.id)?.fileType ?? null,
      project: confirmed.customer_project?.name ?? known.get(confirmed.id)?.projectName ?? null,
    })),
    mostOpen: MAX_OPEN,
  });
  if (inserted === "too_many") {
    throw new Failure("too_many_requests", TOO_MANY, { retryAfterSeconds: 10 });
  }
  if (inserted === "known") {
    const winner = await findByKey(database.orm, company, person.id, key);
    if (winner === null)
      throw new Error("an idempotency key belongs to a deletion that doesn't exist");
    return answerEarlier(runtime, company, winner, bodyHash);
  }
  runtime.deletions.accept(inserted.id);
  return accepted(runtime, company, inserted.id, requestId);
}

async function answerEarlier(
  runtime: DeletionRuntime,
  company: string,
  earlier: { id: string; bodyHash: string },
  bodyHash: string,
): Promise<Response> {
  if (earlier.bodyHash !== bodyHash) {
    throw new Failure("idempotency_mismatch", KEY_USED);
  }
  return accepted(runtime, company, earlier.id);
}

async function accepted(
  runtime: DeletionRuntime,
  company: string,
  id: string,
  requestId?: string,
): Promise<Response> {
  return Response.json(await deletionView(runtime, company, id), {
    status: 202,
    headers: requestId === undefined ? {} : { "X-Request-Id": requestId },
  });
}

async function refuseUnlessPossible(
  { database, disk, upstreams }: DeletionRuntime,
  { company }: Given,
): Promise<void> {
  if (await disk.isLow()) {
    throw new Failure("unavailable", DISK_FULL, {
      retryAfterSeconds: 60,
    });
  }
  const upstream = upstreams.get(company);
  if (upstream === undefined) throw new Failure("unavailable", NOT_CONNECTED);
  if ((await readPause(database.orm, "deletions")) !== null) {
    throw new Failure(
      "paused",
      "Deletions are paused because Plumbline was restored from a backup. An administrator can resume them on the Schedule files page.",
    );
  }
  const granted = upstream.grantedScopes();
  if (granted?.includes("write:schedule_files") === false) {
    throw new Failure("forbidden", NO_SCOPE);
  }
}

/**
 * The request body reduced to what is stored and compared, with its properties in a fixed order.
 */
function canonical(body: DeletionRequest): DeletionRequest {
  if ("matching" in body) {
    const { filters, count, digest, without } = body.matching;
    const kept = [...new Set(without)].toSorted((a, b) => a - b);
    return { matching: { filters, count, digest, without: kept } };
  }
  if (new Set(body.files.map(({ id }) => id)).size < body.files.length) {
    throw invalid("files", "must not list a file twice");
  }
  return {
    files: toStorable(
      body.files.map(({ id, name, is_baseline, created_at, customer_project: project }) => ({
        id,
        name,
        is_baseline,
        created_at,
        ...(project !== undefined && {
          customer_project: project && { id: project.id, name: project.name },
        }),
      })),
    ),
  };
}

type Matching = Extract<DeletionRequest, { matching: unknown }>["matching"];

/** The files confirmed by "all that match", without the baselines that are kept. */
async function matchingFiles(
  { database }: DeletionRuntime,
  company: string,
  { filters, count, digest, without }: Matching,
): Promise<readonly ConfirmedFile[]> {
  const selected = await selectFiles(
    database.orm,
    company,
    filtersOf(new URLSearchParams(filters)),
  );
  if (selected.count !== count || selected.digest !== digest) {
    throw new Failure("conflict", FILES_CHANGED);
  }
  const baselines = new Set(selected.files.filter((file) => file.is_baseline).map(({ id }) => id));
  if (!without.every((id) => baselines.has(id))) {
    throw invalid("without", "must be matching baselines");
  }
  const files = selected.files.filter(({ id }) => !without.includes(id));
  if (files.length === 0) throw invalid("without", "must leave at least one file to delete");
  return files;
}
