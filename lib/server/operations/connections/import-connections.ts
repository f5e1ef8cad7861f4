import { SHOWN_CHARACTERS } from "@/lib/domain/text/csv-lines";
import { ImportRequest, ImportRow, type Imported } from "@/lib/contracts/connections";
import { isFailure } from "@/lib/contracts/failure";
import type { Person } from "@/lib/server/auth/person";
import { requirePrintedPasswordChanged } from "@/lib/server/operations/me/printed-password";
import { freeSlug, requireRoom, saveConnection, type ConnectRuntime } from "./connect-company";
import { parseRequest, requestProblem, requireOwner } from "./requests";
import { importWords, SLUG_TAKEN } from "./words";

/** Of a request's body. */
export const MAX_IMPORT_BYTES = 256 * 1024;

type Line = Imported["data"][number];

/**
 * Imports connections: `POST /api/connections/import`. A dry run only says what would be imported. Otherwise valid rows
 * are saved without a check; each company's first check follows within the budget of its host.
 * @throws Failure `invalid_request` for the request itself; `conflict` if there would be too many; problems of a row are
 *   in its line
 */
export async function importConnections(
  runtime: ConnectRuntime,
  { person, body }: { person: Person; body: unknown },
): Promise<Imported> {
  const { dry_run: isDryRun, rows, lines } = parseRequest(ImportRequest, body);
  await requirePrintedPasswordChanged(runtime);
  await requireRoom(runtime, rows.length);
  const lineOf = new Map<string, number>();
  const data: Line[] = [];
  for (const [index, row] of rows.entries()) {
    const line = lines?.[index] ?? index + 1;
    const done = await importRow(runtime, { person, row, isDryRun, lineOf, line });
    data.push({ line, slug: slugIn(row), ...done });
  }
  if (!isDryRun) await runtime.browserConnections.reread();
  return { data };
}

/** @param given.lineOf the lines of the slugs so far; this row's is added */
async function importRow(
  runtime: ConnectRuntime,
  given: {
    person: Person;
    row: unknown;
    isDryRun: boolean;
    lineOf: Map<string, number>;
    line: number;
  },
): Promise<Pick<Line, "result" | "text">> {
  const { person, row, isDryRun, lineOf, line } = given;
  const parsed = ImportRow.safeParse(row);
  if (!parsed.success) return { result: "invalid", text: requestProblem(parsed.error).message };
  const request = parsed.data;
  const wanted = {
    company: request.slug,
    baseUrl: request.base_url,
    clientId: request.client_id,
  };
  const slug = await freeSlug(runtime, wanted);
  const before = lineOf.get(slug ?? request.slug);
  if (before !== undefined) return { result: "taken", text: importWords.sameSlug(before) };
  if (slug === null) return { result: "taken", text: SLUG_TAKEN };
  try {
    const owner =
      request.owner === null || request.owner === undefined
        ? null
        : await requireOwner(runtime, request.owner, slug);
    lineOf.set(slug, line);
    if (isDryRun) return { result: "ok", text: importWords.canConnect };
    const saved = await saveConnection(runtime, { person, request, owner });
    return saved === null
      ? { result: "taken", text: SLUG_TAKEN }
      : { result: "ok", text: importWords.saved };
  } catch (error) {
    if (!isFailure(error)) throw error;
    return { result: "invalid", text: error.message };
  }
}

function slugIn(row: unknown): string {
  const slug = typeof row === "object" && row !== null && "slug" in row ? row.slug : "";
  return typeof slug === "string" ? slug.slice(0, SHOWN_CHARACTERS) : "";
}
