import { z } from "zod";

/** What a backup says of itself. Instants are ISO 8601, on the clock of whoever made it. */

/** The first entry of the archive, before any row: whether it can be restored at all. */
export const ABOUT_NAME = "backup.json";
/** The last one: what the rows in between have to be. */
export const MANIFEST_NAME = "manifest.json";

/** Version 1 had no signature. */
export const FORMAT = 2;

/** Tables whose rows stay where they are: keys that sign tokens. A restored database makes its own. */
export const NOT_BACKED_UP: ReadonlySet<string> = new Set(["v3.signing_keys"]);

/** Schemas of ours, and that of the queue which earlier versions of the v3 service used. */
export const BACKED_UP_SCHEMAS = ["public", "v3", "pgboss"] as const;

const Schema = z.enum(BACKED_UP_SCHEMAS);
const Applied = z.array(z.object({ when: z.int(), hash: z.string() }));
const Hash = z.string().regex(/^[0-9a-f]{64}$/);

export const About = z.object({
  format: z.literal([1, FORMAT]),
  /** When the moment was that it shows. */
  created_at: z.iso.datetime(),
  /** See `readBuild`; `unknown` where nothing was built. */
  build: z.string(),
  /** Version of the PostgreSQL that it was read from. */
  postgres: z.string(),
  /** What the database had, by journal, oldest first. */
  schema: z.object({ migrations: Applied, v3_migrations: Applied }),
});

export const Manifest = About.extend({
  tables: z.array(
    z.object({
      schema: Schema,
      name: z.string(),
      /** In the order of the rows' fields. */
      columns: z.array(z.string()),
      rows: z.int().min(0),
      bytes: z.int().min(0),
      /** Of its rows as `COPY ... TO STDOUT` gives them in text form. */
      sha256: Hash,
    }),
  ),
  /** Those that were used, with the number that they gave last. */
  sequences: z.array(
    z.object({ schema: Schema, name: z.string(), last: z.string().regex(/^-?\d+$/) }),
  ),
  /** The ends of the audit logs, by company: for a place that has no record of them. */
  audit_heads: z.record(z.string(), z.object({ seq: z.int(), hash: Hash })),
});

export type About = z.infer<typeof About>;
export type Manifest = z.infer<typeof Manifest>;
export type BackedUpTable = Manifest["tables"][number];

/** A table as an archive names it; its entries are called so, with a number behind. */
export const nameOfTable = ({ schema, name }: Pick<BackedUpTable, "schema" | "name">) =>
  `${schema}.${name}`;
