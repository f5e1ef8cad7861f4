import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { ROOT } from "@/bench/measured-server";
import { seeded } from "@/e2e/wall/months";
import { run } from "@/scripts/steps.mjs";
import { chooseFault, chooseUpstreamFault, type Fault } from "../instances/faults";
import { judge } from "../instances/judge";
import { askToDelete, openSite, within, type Site } from "../instances/site";
import { LEADS, watch, type SoakedLead, type Watch } from "../instances/watch";
import { MINUTE_MS } from "@/lib/domain/time/units";

/** The promise is 30 s; the collector checks every 20 s. */
const TAKEOVER_P95_MS = 30_000;
const RHYTHM_MS = 20_000;
/** A lead lost for longer than this is a failure. */
const TAKEOVER_LIMIT_MS = 60_000;
/** A shorter fault need not cost an instance its lead. */
const SURELY_LOST_MS = 30_000;
const SETTLE_LIMIT_MS = 12 * 60_000;

/**
 * Two instances on one PostgreSQL, with a sequence of kills, stops, disconnections and restarts while files are being
 * deleted: the promises for several instances must hold throughout.
 * @param minutes duration
 * @param seed of the faults and their times
 */
export async function instances(minutes: number, seed: number): Promise<boolean> {
  return run("npm", ["run", "build"], { NODE_ENV: "production" }) && (await shake(minutes, seed));
}

/** Like `instances`, with the existing build. */
export async function shake(minutes: number, seed: number): Promise<boolean> {
  const directory = mkdtempSync(path.join(tmpdir(), "plumbline-soak-"));
  const site = await openSite(directory);
  const watching = watch(site);
  const say = (words: string) =>
    void process.stdout.write(`${new Date().toISOString()} ${words}\n`);
  say(`seed ${seed}: the same again with --seed ${seed}`);
  const untilMs = Date.now() + minutes * MINUTE_MS;
  const took = { leads: [] as number[], commits: [] as number[] };
  let requested = { files: 0, deletions: 0 };
  try {
    const deleting = deleteOn(site, seeded(seed + 1), untilMs).then((done) => (requested = done));
    deleting.catch((error: unknown) => watching.say(String(error)));
    const random = seeded(seed);
    while (Date.now() < untilMs) {
      if (!(await within(TAKEOVER_LIMIT_MS, () => LEADS.every((of) => leader(site, watching, of)))))
        watching.say(`no instance leads one of ${LEADS.join(", ")}`);
      const holder = site.instances.find((each) => each.life() === watching.holder("collector"));
      const [one, other] = site.instances;
      // The leader is the more interesting target.
      const hit = random() < 0.7 ? (holder ?? one) : random() < 0.5 ? one : other;
      const fault = chooseFault(site, random, hit);
      await sleep(1000 * Math.floor(5 * random()));
      await goThrough(site, watching, { fault, random, say, took });
    }
    await deleting;
    await site.upstream.setFault(null);
    say("all is well again; waiting until everything has settled");
    const hasSettled = await within(SETTLE_LIMIT_MS, async () => {
      const { rows } = await site.pool.query<{ open: number }>(
        "select count(*)::int as open from deletions where state in ('waiting', 'running')",
      );
      return rows[0]?.open === 0;
    });
    if (!hasSettled) watching.say("a deletion did not end");
    await watching.stop();
    for (const what of await judge(site)) watching.say(what);
    await site.pool.query("select 1");
    const verified = verifyAudit(site);
    if (verified !== null) watching.say(verified);
    report(site, watching, { requested, took, say });
    if (percentile(took.leads, 95) >= TAKEOVER_P95_MS)
      watching.say("leads are taken over too late");
    if (percentile(took.commits, 95) >= TAKEOVER_P95_MS + RHYTHM_MS)
      watching.say("snapshots come too late after a fault");
    for (const instance of site.instances) {
      const code = await instance.stop();
      if (code !== 0) watching.say(`${instance.life()} ended with ${code}`);
    }
    if (watching.broken.length > 0) {
      for (const each of site.instances) say(`last words:\n${each.lines().slice(-40).join("\n")}`);
    }
    return watching.broken.length === 0;
  } finally {
    await watching.stop();
    await site.close();
    rmSync(directory, { recursive: true, force: true });
  }
}

/** The instance whose process holds a lead now. */
function leader({ instances: all }: Site, watching: Watch, of: SoakedLead) {
  return all.find((each) => each.address() !== null && each.life() === watching.holder(of));
}

/** One fault from its start until there is a leader again. */
async function goThrough(
  site: Site,
  watching: Watch,
  parts: {
    fault: Fault;
    random: () => number;
    say: (words: string) => void;
    took: { leads: number[]; commits: number[] };
  },
): Promise<void> {
  const { fault, random, say, took } = parts;
  const lives = fault.hits.map((each) => each.life());
  const lost = LEADS.filter((of) => lives.includes(watching.holder(of) ?? ""));
  const upstreamFault = chooseUpstreamFault(random);
  await site.upstream.setFault(upstreamFault?.fault ?? null, upstreamFault?.options);
  watching.disturb(fault.hits);
  const atMs = Date.now();
  await fault.begin();
  await sleep(fault.lastsMs);
  await fault.end();
  const endedMs = Date.now();
  watching.calm(fault.hits);
  await site.upstream.setFault(null);

  const isOfOne = fault.hits.length === 1;
  const isOfReads = upstreamFault !== null && upstreamFault.options.method !== "DELETE";
  const isSurelyLost =
    isOfOne && (fault.isEnd || fault.lastsMs >= SURELY_LOST_MS) && fault.name !== "refusing";
  const takeovers: string[] = [];
  for (const of of lost) {
    const next = () => watching.terms.find((term) => term.of === of && term.sinceMs > atMs);
    if (isSurelyLost)
      await within(atMs + TAKEOVER_LIMIT_MS - Date.now(), () => next() !== undefined);
    const term = next();
    if (term === undefined) {
      if (isSurelyLost) watching.say(`no instance took over ${of} after ${fault.name}`);
      continue;
    }
    const ms = Math.round(term.sinceMs - atMs);
    takeovers.push(`${of} ${(ms / 1000).toFixed(1)} s`);
    if (isOfOne) took.leads.push(ms);
  }
  // Started after the fault: a read in progress at that time may still be committed afterwards.
  const nextCommit = () => watching.commits.find(({ asOfMs }) => asOfMs > atMs);
  await within(TAKEOVER_LIMIT_MS + RHYTHM_MS, () => nextCommit() !== undefined);
  const commit = nextCommit();
  if (commit === undefined) watching.say(`no snapshot after ${fault.name}`);
  // After a failed read the next one is a whole poll later, whichever instance leads.
  else if (isOfOne && !isOfReads) took.commits.push(commit.seenMs - atMs);
  const after = commit === undefined ? "-" : `${((commit.seenMs - atMs) / 1000).toFixed(1)} s`;
  const names = isOfOne ? `${lives.join()} (${lost.join(", ") || "leads nothing"})` : "both";
  const during = upstreamFault === null ? "" : `, source: ${upstreamFault.fault.kind}`;
  say(
    `${fault.name} of ${names} for ${((endedMs - atMs) / 1000).toFixed(0)} s${during}: next leader of ${takeovers.join(", ") || "none"}; next snapshot after ${after}`,
  );
}

/** Requests deletions until the time is over, at whichever instance responds. */
async function deleteOn(
  site: Site,
  random: () => number,
  untilMs: number,
): Promise<{ files: number; deletions: number }> {
  let next = site.upstream.files().length;
  const done = { files: 0, deletions: 0 };
  const addresses = () => {
    const all = site.instances.flatMap((instance) => instance.address() ?? []);
    return random() < 0.5 ? all : all.toReversed();
  };
  while (Date.now() < untilMs && next > 2) {
    await sleep(6_000 + 8_000 * random());
    const ids = random() < 0.3 ? [next, next - 1] : [next];
    // Sometimes repeats an earlier request.
    const again = random() < 0.1 ? [next + 1] : [];
    next -= ids.length;
    const outcome = await askToDelete(site, addresses, [...ids, ...again]);
    if (outcome === "refused") continue;
    done.deletions += 1;
    done.files += ids.length;
  }
  return done;
}

/** @returns the problem found by `npm run audit:verify`; null: none */
function verifyAudit({ commandEnv }: Site): string | null {
  try {
    execFileSync("npm", ["run", "audit:verify"], {
      cwd: ROOT,
      env: {
        NODE_ENV: "production",
        PATH: process.env["PATH"],
        HOME: process.env["HOME"],
        ...commandEnv,
      },
      encoding: "utf8",
      stdio: "pipe",
    });
    return null;
  } catch (error) {
    const { stdout, stderr } = error as { stdout?: string; stderr?: string };
    return `the audit log does not hold: ${stdout} ${stderr}`;
  }
}

function report(
  { upstream }: Site,
  watching: Watch,
  parts: {
    requested: { files: number; deletions: number };
    took: { leads: readonly number[]; commits: readonly number[] };
    say: (words: string) => void;
  },
): void {
  const { requested, took, say } = parts;
  const { looks, followMs, residentBytes, loopDelayP99Ms, logBytesPerMinute } = watching.measured();
  const spread = (all: readonly number[]) =>
    all.length === 0
      ? "none"
      : `${all.length}: median ${seconds(percentile(all, 50))}, p95 ${seconds(percentile(all, 95))}, worst ${seconds(Math.max(...all))}`;
  say(`leads taken over, ${spread(took.leads)}`);
  say(`from a fault to the next snapshot, ${spread(took.commits)}`);
  say(`from a commit to the other instance's page, ${spread(followMs)}`);
  const deletes = upstream.requests.filter(({ method }) => method === "DELETE").length;
  say(
    `${requested.files} files in ${requested.deletions} deletions, ${deletes} DELETEs, ${upstream.requests.length} requests, ${watching.commits.length} snapshots, ${looks} looks`,
  );
  say(
    `at most ${Math.round(residentBytes / 1e6)} MB, event loop p99 ${loopDelayP99Ms.toFixed(0)} ms, ${logBytesPerMinute} bytes of log a minute`,
  );
}

const seconds = (ms: number) => `${(ms / 1000).toFixed(1)} s`;

function percentile(all: readonly number[], which: number): number {
  const sorted = all.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor((which / 100) * sorted.length))] ?? 0;
}
