import { z } from "zod";

/** Manifest of a backup. Timestamps are ISO 8601, on the clock of the machine that made it. */

/** The first entry of the archive, before any rows: shows whether it can be restored at all. */
export const ABOUT_NAME = "backup.json";
/** The last entry: what the rows must match. */
export const MANIFEST_NAME = "manifest.json";

/** Version 1 had no signature. */
export const FORMAT = 2;

/** Tables whose rows aren't backed up: token signing keys. A restored database generates new ones. */
export const NOT_BACKED_UP: ReadonlySet<string> = new Set(["v3.signing_keys"]);

/** Our schemas, and the queue schema of earlier versions of the v3 service. */
export const BACKED_UP_SCHEMAS = ["public", "v3", "pgboss"] as const;

const Schema = z.enum(BACKED_UP_SCHEMAS);
const Applied = z.array(z.object({ when: z.int(), hash: z.string() }));
const Hash = z.string().regex(/^[0-9a-f]{64}$/);

export const About = z.object({
  format: z.literal([1, FORMAT]),
  /** Time of the database snapshot. */
  created_at: z.iso.datetime(),
  /** See `readBuild`; `unknown` without a build. */
  build: z.string(),
  /** Version of the source PostgreSQL. */
  postgres: z.string(),
  /** Applied migrations by journal, oldest first. */
  schema: z.object({ migrations: Applied, v3_migrations: Applied }),
});

export const Manifest = About.extend({
  tables: z.array(
    z.object({
      schema: Schema,
      name: z.string(),
      /** In the order of fields in the rows. */
      columns: z.array(z.string()),
      rows: z.int().min(0),
      bytes: z.int().min(0),
      /** Of its rows in the text format of `COPY ... TO STDOUT`. */
      sha256: Hash,
    }),
  ),
  /** Sequences in use, with their last value. */
  sequences: z.array(
    z.object({ schema: Schema, name: z.string(), last: z.string().regex(/^-?\d+$/) }),
  ),
  /** Heads of the audit logs by company, for a target without a record of them. */
  audit_heads: z.record(z.string(), z.object({ seq: z.int(), hash: Hash })),
});

export type About = z.infer<typeof About>;
export type Manifest = z.infer<typeof Manifest>;
export type BackedUpTable = Manifest["tables"][number];

/** A table's name in the archive; its entries have this name and a number. */
export const nameOfTable = ({ schema, name }: Pick<BackedUpTable, "schema" | "name">) =>
  `${schema}.${name}`;
