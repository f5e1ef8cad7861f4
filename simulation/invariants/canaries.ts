import { INSTALLATION } from "@/lib/server/store/audit/installation-log";
import { Broken, type Scene } from "../simulation";

const HOUR_MS = 3_600_000;

/** What is of one company holds nothing of another: neither rows of the database, nor what a screen gets. */
export function createCanariesCheck() {
  let tables: string[] | null = null;
  let nextMs = 0;
  return async ({ control, world, time, instances }: Scene, isEnd: boolean): Promise<void> => {
    const secrets = world.companies.map(({ slug }) => `secret-of-${slug}`);
    for (const instance of instances())
      for (const { slug, name } of world.companies) {
        const text = JSON.stringify(instance.view(slug));
        const other = world.companies.find(
          (one) => one.name !== name && text.includes(canaryIn(one.name)),
        );
        if (other !== undefined)
          throw new Broken("other companies", `the status of ${slug} holds text of ${other.slug}`);
        if (/token-\d/.test(text) || secrets.some((secret) => text.includes(secret)))
          throw new Broken("secrets", `the status of ${slug} holds a secret`);
      }
    if (time.nowMs() < nextMs && !isEnd) return;
    nextMs = time.nowMs() + 6 * HOUR_MS;
    tables ??= (
      await control.rows<{ name: string }>(
        `select table_name as name from information_schema.columns
         where table_schema = 'public' and column_name = 'company' order by 1`,
      )
    ).map(({ name }) => name);
    for (const table of tables)
      for (const { slug, name } of world.companies) {
        const [row] = await control.rows<{ text: string }>(
          `select t::text as text from public.${table} t
           where company <> all($1) and t::text like $2 limit 1`,
          // The log of the installation names the connections, and only administrators read it.
          [[slug, INSTALLATION], `%${canaryIn(name)}%`],
        );
        if (row !== undefined)
          throw new Broken(
            "other companies",
            `${table} holds text of ${slug} in ${row.text.slice(0, 200)}`,
          );
      }
  };
}

const canaryIn = (name: string) => /canary-\d+-canary/.exec(name)?.[0] ?? name;
