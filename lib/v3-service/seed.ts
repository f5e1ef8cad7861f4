import { lockUntilCommit, V3_LOCKS } from "./store/locks";
import { sql } from "drizzle-orm";
import { z } from "zod";
import { FILE_TYPES, LAST_SYNC_STATUSES, SCOPES, SYNC_STATUSES } from "@/lib/contracts/v3";
import type { Database } from "@/lib/server/store/database";
import { hashSecret } from "./secrets";
import { readInstant } from "./seed-instant";
import { companies } from "./store/schema";
import {
  addClients,
  addCompanies,
  addScheduleFiles,
  addSyncConfigs,
  recordApiCalls,
  recordLandings,
  recordRuns,
  type NewClient,
} from "./store/writer";

/** A seed file with every instant resolved to epoch milliseconds. */
export type Seed = z.output<ReturnType<typeof seedSchema>>;

/** Why a seed file was rejected: all problems at once, each with its path. */
export class SeedError extends Error {
  readonly problems: readonly string[];

  constructor(problems: readonly string[]) {
    super(["the seed file is invalid:", ...problems].join("\n  "));
    this.name = "SeedError";
    this.problems = problems;
  }
}

/** Whether the service has no company yet. */
export async function isEmpty(database: Database): Promise<boolean> {
  return await hasNoCompany(database.orm);
}

/**
 * Reads the text of a seed file.
 * @returns its JSON
 * @throws SeedError with the line, where the parser says it
 */
export function readSeedFile(content: string): unknown {
  try {
    return JSON.parse(content) as unknown;
  } catch (error) {
    // The parser's message may quote the file, which contains secrets: only the position is taken from it.
    const position = /^[^"]* at position (\d+)/.exec(String(error))?.[1];
    if (position === undefined) throw new SeedError(["isn't JSON"]);
    const line = content.slice(0, Number(position)).split("\n").length;
    throw new SeedError([`line ${line}: isn't JSON`]);
  }
}

/**
 * Parses a seed file.
 * @param json its parsed JSON
 * @param nowMs base of relative instants, epoch milliseconds
 * @throws SeedError with every problem found
 */
export function parseSeed(json: unknown, nowMs: number): Seed {
  const result = seedSchema(nowMs).safeParse(json);
  const problems = [
    ...(result.error?.issues ?? []).map((issue) => problem(issue.path, issue.message)),
    ...repeatedIds(json),
  ];
  if (!result.success || problems.length > 0) throw new SeedError(problems);
  return result.data;
}

/**
 * Fills an empty service from a seed file, in one transaction; a service with companies isn't changed.
 * @returns whether it was loaded
 * @throws SeedError, even if the service isn't empty
 */
export async function loadSeed(
  database: Database,
  json: unknown,
  nowMs: number,
): Promise<"loaded" | "kept"> {
  const seed = parseSeed(json, nowMs);
  if (!(await isEmpty(database))) return "kept";
  const clients = await hashClients(seed, nowMs);
  const outcome = await database.orm.transaction(async (tx) => {
    await lockUntilCommit(tx, V3_LOCKS.seedFile);
    // Another process may have been first.
    if (!(await hasNoCompany(tx))) return "kept" as const;
    const configs = seed.companies.flatMap((company) =>
      company.sync_configs.map((config) => ({
        config,
        companyId: company.id,
        syncConfigId: config.id,
      })),
    );

    await addCompanies(
      tx,
      seed.companies.map(({ id, name }) => ({ id, name })),
    );
    await addClients(tx, clients);
    await addSyncConfigs(
      tx,
      configs.map(({ config, companyId }) => ({
        companyId,
        id: config.id,
        partnerName: config.partner_name,
        endpointKey: config.endpoint_key,
        status: config.status,
        frequencyMinutes: config.frequency_minutes ?? null,
        nextSyncAtMs: config.next_sync_at ?? null,
        recordedSyncAtMs: config.recorded_sync_at ?? null,
      })),
    );
    await recordRuns(
      tx,
      configs.flatMap(({ config, companyId, syncConfigId }) =>
        (config.runs ?? []).map((run) => ({
          companyId,
          syncConfigId,
          startedAtMs: run.started_at,
          finishedAtMs: run.finished_at,
          status: run.status,
        })),
      ),
    );
    await recordLandings(
      tx,
      configs.flatMap(({ config, companyId, syncConfigId }) =>
        (config.pipeline_landings ?? []).map((landedAtMs) => ({
          companyId,
          syncConfigId,
          landedAtMs,
        })),
      ),
    );
    await recordApiCalls(
      tx,
      configs.flatMap(({ config, companyId, syncConfigId }) =>
        (config.api_calls ?? []).map(({ at, count }) => ({
          companyId,
          syncConfigId,
          atMs: at,
          count,
        })),
      ),
    );
    await addScheduleFiles(
      tx,
      seed.companies.flatMap((company) =>
        company.schedule_files.map((file) => ({
          companyId: company.id,
          id: file.id,
          name: file.name,
          isBaseline: file.is_baseline,
          customerProject: file.customer_project ?? null,
          createdAtMs: file.created_at,
          fileType: file.file_type,
          partnerTokenId: file.partner_token_id ?? null,
        })),
      ),
    );
    return "loaded" as const;
  });
  // Otherwise queries would at first be planned as if the tables of a large service were empty.
  if (outcome === "loaded") await database.orm.execute(sql`analyze v3.sync_configs, v3.api_calls`);
  return outcome;
}

async function hasNoCompany(orm: Pick<Database["orm"], "select">): Promise<boolean> {
  const rows = await orm.select({ id: companies.id }).from(companies).limit(1);
  return rows.length === 0;
}

async function hashClients(seed: Seed, nowMs: number): Promise<NewClient[]> {
  const clients: NewClient[] = [];
  // Sequentially, because each hash needs 16 MB.
  for (const company of seed.companies) {
    for (const client of company.clients) {
      clients.push({
        companyId: company.id,
        clientId: client.client_id,
        name: client.client_id,
        secretHash: await hashSecret(client.client_secret),
        scopes: SCOPES.filter((scope) => client.scopes.includes(scope)),
        grantTypes: client.grant_types,
        createdAtMs: nowMs,
      });
    }
  }
  return clients;
}

/** Largest count that can be stored; those of one instant are stored as one. */
const MAX_COUNTED = 2_147_483_647;

function mostAtOnce(calls: readonly { at: number; count: number }[]): number {
  const sums = new Map<number, number>();
  for (const { at, count } of calls) sums.set(at, (sums.get(at) ?? 0) + count);
  let most = 0;
  for (const sum of sums.values()) most = Math.max(most, sum);
  return most;
}

/** Schema of a seed file; relative instants are based on `nowMs`. */
function seedSchema(nowMs: number) {
  // PostgreSQL can't store NUL in text, and of different halves of characters it would make the same one.
  const text = z
    .string()
    .refine((value) => !value.includes("\0"), { error: "holds a NUL" })
    .refine((value) => !/\p{Surrogate}/u.test(value), { error: "holds half a character" });
  /** Indexed ids and names: index entries are limited to about 2,700 bytes. */
  const key = text.max(200);
  const id = z.int().min(0);
  const count = z.int().min(0).max(MAX_COUNTED);
  const instant = z.string().transform((value, context) => {
    const ms = readInstant(value, nowMs);
    if (ms !== null) return ms;
    context.addIssue({
      code: "custom",
      message: `"${value}" is neither an ISO 8601 timestamp with an offset nor a signed ISO 8601 duration`,
    });
    return z.NEVER;
  });

  const client = z.strictObject({
    client_id: key.min(1),
    client_secret: text.min(1),
    scopes: z.array(z.enum(SCOPES)),
    grant_types: z.array(text).default(["client_credentials"]),
  });
  const run = z
    .strictObject({
      started_at: instant,
      finished_at: instant.nullable(),
      status: z.enum(LAST_SYNC_STATUSES),
    })
    .refine((value) => (value.finished_at === null) === (value.status === "in_progress"), {
      error: "finished_at must be null exactly for an in_progress run",
      path: ["finished_at"],
    });
  const syncConfig = z.strictObject({
    id: key.min(1),
    partner_name: key,
    endpoint_key: key,
    status: z.enum(SYNC_STATUSES),
    frequency_minutes: count.nullish(),
    next_sync_at: instant.nullish(),
    recorded_sync_at: instant.nullish(),
    runs: z.array(run).nullish(),
    pipeline_landings: z.array(instant).nullish(),
    api_calls: z
      .array(z.strictObject({ at: instant, count }))
      .refine((calls) => mostAtOnce(calls) <= MAX_COUNTED, {
        error: `counts more than ${MAX_COUNTED} at one instant`,
      })
      .nullish(),
  });
  const scheduleFile = z.strictObject({
    id,
    name: text,
    is_baseline: z.boolean(),
    customer_project: z
      .strictObject({ id: z.int(), name: text, source: text, customer_project_id: text })
      .nullish(),
    created_at: instant,
    file_type: z.enum(FILE_TYPES),
    partner_token_id: z.int().nullish(),
  });
  const company = z.strictObject({
    id,
    name: text,
    clients: z.array(client).default([]),
    sync_configs: z.array(syncConfig).default([]),
    schedule_files: z.array(scheduleFile).default([]),
  });
  return z.strictObject({ companies: z.array(company) });
}

/**
 * One problem per repeated id. Works on the raw JSON, which may be invalid in any way, so that these problems are
 * reported together with all others.
 */
function repeatedIds(json: unknown): string[] {
  const owners = members({ value: json, path: [] }, "companies");
  const all = (list: string) => owners.flatMap((owner) => members(owner, list));
  return [
    ...repeated("company id", "id", owners),
    ...repeated("client_id", "client_id", all("clients")),
    ...repeated("schedule file id", "id", all("schedule_files")),
    ...owners.flatMap((owner) => repeated("sync config id", "id", members(owner, "sync_configs"))),
  ];
}

function repeated(what: string, key: string, items: Item[]): string[] {
  const seen = new Set<unknown>();
  return items.flatMap(({ value, path }) => {
    const id = memberOf(value, key);
    const known = id !== undefined && seen.has(id);
    seen.add(id);
    return known
      ? [problem([...path, key], `the ${what} ${JSON.stringify(id)} is used twice`)]
      : [];
  });
}

function problem(path: readonly PropertyKey[], message: string): string {
  return `${z.core.toDotPath(path) || "seed"}: ${message}`;
}

type Item = { value: unknown; path: PropertyKey[] };

/** The items of the array `list` of an object, with their paths; none if there is no such array. */
function members({ value, path }: Item, list: string): Item[] {
  const items = memberOf(value, list);
  return Array.isArray(items)
    ? items.map((item: unknown, index) => ({ value: item, path: [...path, list, index] }))
    : [];
}

function memberOf(value: unknown, key: string): unknown {
  return typeof value === "object" && value !== null
    ? (value as Record<string, unknown>)[key]
    : undefined;
}
