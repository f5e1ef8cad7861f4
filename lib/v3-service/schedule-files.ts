import { and, count, desc, eq } from "drizzle-orm";
import { drizzle } from "drizzle-orm/node-postgres";
import type { ServedScheduleFile } from "@/lib/contracts/v3";
import type { Database } from "@/lib/server/store/database";
import { jsonAnswer, Refusal, type Answer, type HttpRequest } from "./answers";
import type { DerivedDataRemovals } from "./derived-data";
import { paginationMeta, readPaging } from "./paging";
import { scheduleFiles } from "./store/schema";
import { inTransaction } from "./store/transaction";
import type { Grant } from "./tokens";

/** The three operations on schedule files. A file of another company is treated as missing: not_found. */
export function createScheduleFiles(database: Database, removals: DerivedDataRemovals) {
  return {
    /** `GET /schedule_files`: newest first, then by descending id. */
    list: async (_request: HttpRequest, url: URL, { companyId }: Grant): Promise<Answer> => {
      const paging = readPaging(url.searchParams);
      const ours = eq(scheduleFiles.companyId, companyId);
      const [rows, [total]] = await Promise.all([
        database.orm
          .select()
          .from(scheduleFiles)
          .where(ours)
          .orderBy(desc(scheduleFiles.createdAt), desc(scheduleFiles.id))
          .limit(paging.perPage)
          .offset((paging.page - 1) * paging.perPage),
        database.orm.select({ count: count() }).from(scheduleFiles).where(ours),
      ]);
      return jsonAnswer({
        data: rows.map(scheduleFileOf),
        meta: paginationMeta(paging, total?.count ?? 0),
      });
    },

    /** `GET /schedule_files/{id}`. Throws Refusal `not_found`. */
    get: async (_request: HttpRequest, _url: URL, grant: Grant, id: string): Promise<Answer> => {
      const [row] = await database.orm.select().from(scheduleFiles).where(theFile(grant, id));
      if (!row) throw notFound();
      return jsonAnswer(scheduleFileOf(row));
    },

    /**
     * `DELETE /schedule_files/{id}`. Deletes the file and queues the removal of its derived data in one transaction; of
     * concurrent requests one succeeds, the others get not_found.
     */
    remove: async (_request: HttpRequest, _url: URL, grant: Grant, id: string): Promise<Answer> => {
      const file = theFile(grant, id);
      const fileId = await inTransaction(database, async (client) => {
        const [gone] = await drizzle({ client })
          .delete(scheduleFiles)
          .where(file)
          .returning({ id: scheduleFiles.id });
        if (!gone) return null;
        await removals.enqueue(client, { companyId: grant.companyId, fileId: gone.id });
        return gone.id;
      });
      if (fileId === null) throw notFound();
      void removals.run();
      return jsonAnswer({ deleted: true, id: fileId });
    },
  };
}

function notFound(): Refusal {
  return new Refusal("not_found", "No such schedule file.");
}

/** An invalid id is treated as a missing file. */
function theFile({ companyId }: Grant, id: string) {
  const fileId = /^(0|[1-9]\d*)$/.test(id) ? Number(id) : NaN;
  if (!Number.isSafeInteger(fileId)) throw notFound();
  return and(eq(scheduleFiles.companyId, companyId), eq(scheduleFiles.id, fileId));
}

function scheduleFileOf(row: typeof scheduleFiles.$inferSelect): ServedScheduleFile {
  const project = row.customerProject;
  return {
    id: row.id,
    name: row.name,
    is_baseline: row.isBaseline,
    company_id: row.companyId,
    customer_project: project && {
      id: project.id,
      name: project.name,
      source: project.source,
      customer_project_id: project.customer_project_id,
    },
    created_at: row.createdAt.toISOString(),
    file_type: row.fileType,
    partner_token_id: row.partnerTokenId,
  };
}
