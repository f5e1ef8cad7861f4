import { Failure } from "@/lib/contracts/failure";
import type { ScheduleFileView } from "@/lib/contracts/schedule-files";
import { readFileMarks } from "@/lib/server/store/files/file-marks";
import { readKnownFile, type KnownFile } from "@/lib/server/store/files/find-schedule-files";
import { fileRow, fileScopes, openFileIndex } from "./file-index-view";
import { readLiveFile, type FilesRuntime } from "./live-files";
import { iso, isoOrNull } from "@/lib/domain/time/instant";

/**
 * One schedule file: `GET .../schedule-files/[id]`. One that the mirror lacks is requested from
 * upstream.
 * @param given.id from the address
 * @throws Failure `not_found`; `upstream_unreachable` when the mirror lacks it and upstream fails
 */
export async function getScheduleFile(
  runtime: FilesRuntime,
  { company, id }: { company: string; id: string | undefined },
): Promise<ScheduleFileView> {
  const fileId = /^(0|[1-9]\d{0,15})$/.test(id ?? "") ? Number(id) : Number.NaN;
  if (!Number.isSafeInteger(fileId)) throw noSuchFile();
  const file =
    (await readKnownFile(runtime.database.orm, company, fileId)) ??
    (await askForFile(runtime, company, fileId));
  const { orm } = runtime.database;
  const [{ view: index }, scopes, marks] = await Promise.all([
    openFileIndex(runtime, company),
    fileScopes(runtime, company),
    readFileMarks(orm, company, [fileId]),
  ]);
  return {
    file: fileRow(file.given),
    as_given: file.given,
    first_seen_at: iso(file.firstSeenMs),
    last_seen_at: iso(file.lastSeenMs),
    gone_at: isoOrNull(file.goneMs),
    project_baselines: file.projectBaselines,
    marks: marks.get(fileId) ?? { same_name: 0, looks_like: null, superseded_by: null },
    index,
    scopes,
  };
}

async function askForFile(runtime: FilesRuntime, company: string, id: number): Promise<KnownFile> {
  const live = await readLiveFile(runtime, company, id);
  if ("reason" in live) {
    throw new Failure(
      "upstream_unreachable",
      "We haven't seen this file, and we can't check the source right now.",
      { retryAfterSeconds: 10 },
    );
  }
  const { value: given, atMs } = live;
  if (given === null) throw noSuchFile();
  const stored = await readKnownFile(runtime.database.orm, company, id);
  if (stored !== null) return stored;
  // A nearly full disk keeps the file out of the mirror.
  const projectBaselines = given.customer_project === null ? null : Number(given.is_baseline);
  return { given, firstSeenMs: atMs, lastSeenMs: atMs, goneMs: null, projectBaselines };
}

function noSuchFile(): Failure {
  return new Failure("not_found", "No such schedule file.");
}
