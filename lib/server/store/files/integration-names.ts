import { and, eq, sql } from "drizzle-orm";
import { audited, type Change } from "@/lib/server/store/audit/audited";
import type { Database, Orm } from "@/lib/server/store/database";
import { LOCKS, lockUntilCommit } from "@/lib/server/store/locks";
import { integrationNames, scheduleFiles } from "@/lib/server/store/schema/files";
import { toStorable } from "@/lib/server/store/storable";

/** Names of integrations. Changes are written to the company's audit log in the same transaction. */

type Of = { company: string; partnerTokenId: number };

/** An integration; `by` and `at` are null without a name. */
export type IntegrationRow = {
  partnerTokenId: number;
  files: number;
  name: string | null;
  by: { id: string; name: string } | null;
  at: Date | null;
};

/** The names of a company's integrations, by number. */
export async function readIntegrationNames(
  orm: Orm,
  company: string,
): Promise<Map<number, string>> {
  const rows = await orm
    .select({ id: integrationNames.partnerTokenId, name: integrationNames.name })
    .from(integrationNames)
    .where(eq(integrationNames.company, company));
  return new Map(rows.map(({ id, name }) => [id, name]));
}

/** Integrations of existing files, and those with names, by number. */
export async function readIntegrations(orm: Orm, company: string): Promise<IntegrationRow[]> {
  const { rows } = await orm.execute<{
    partner_token_id: string;
    files: number;
    name: string | null;
    named_by_id: string | null;
    named_by_name: string | null;
    named_at: string | null;
  }>(sql`
    with used as (
      select partner_token_id, count(*)::int as files from ${scheduleFiles}
      where company = ${company} and gone_at is null and partner_token_id is not null group by partner_token_id
    ), named as (select * from ${integrationNames} where company = ${company})
    select partner_token_id, coalesce(files, 0) as files, name, named_by_id, named_by_name,
      floor(extract(epoch from named_at) * 1000) as named_at
    from used full join named using (partner_token_id) order by partner_token_id`);
  return rows.map((row) => ({
    partnerTokenId: Number(row.partner_token_id),
    files: row.files,
    name: row.name,
    by: row.named_by_id === null ? null : { id: row.named_by_id, name: row.named_by_name ?? "" },
    at: row.named_at === null ? null : new Date(Number(row.named_at)),
  }));
}

/** Whether an existing file belongs to the integration, or it has a name. */
export async function isIntegration(orm: Orm, { company, partnerTokenId }: Of): Promise<boolean> {
  const { rows } = await orm.execute(sql`
    select from ${scheduleFiles}
    where company = ${company} and gone_at is null and partner_token_id = ${partnerTokenId}
    union all
    select from ${integrationNames} where company = ${company} and partner_token_id = ${partnerTokenId}
    limit 1`);
  return rows.length > 0;
}

/**
 * Names an integration, or removes its name; the same name again changes nothing.
 * @param name null: removes it
 */
export async function nameIntegration(
  { orm }: Pick<Database, "orm">,
  of: Of,
  name: string | null,
  change: Change & { person: { id: string; name: string } },
): Promise<void> {
  const { company, partnerTokenId } = of;
  const found = and(
    eq(integrationNames.company, company),
    eq(integrationNames.partnerTokenId, partnerTokenId),
  );
  await orm.transaction(async (tx) => {
    // Of concurrent changes, the second sees the first one's name.
    await lockUntilCommit(tx, LOCKS.integrationNames, company);
    const [before] = await tx.select().from(integrationNames).where(found);
    const named = name === null ? null : toStorable(name);
    const was = before?.name ?? null;
    if (was === named) return;
    if (named === null) {
      await tx.delete(integrationNames).where(found);
    } else {
      const values = {
        name: named,
        namedById: change.person.id,
        namedByName: toStorable(change.person.name),
        namedAt: new Date(change.nowMs),
      };
      await tx
        .insert(integrationNames)
        .values({ company, partnerTokenId, ...values })
        .onConflictDoUpdate({
          target: [integrationNames.company, integrationNames.partnerTokenId],
          set: values,
        });
    }
    await audited(tx, change, {
      company,
      kind: "integration",
      action: named === null ? "unname" : "name",
      subject: `${named ?? was} (${partnerTokenId})`,
      detail: {
        integration: partnerTokenId,
        name: named,
        ...(was !== null && named !== null && { because: `renamed from ${was}` }),
      },
    });
  });
}
