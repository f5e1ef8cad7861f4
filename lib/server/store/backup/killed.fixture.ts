/**
 * A process that stops at one step of a backup, restore or upgrade, to be killed there: `node
 * killed.fixture.mjs <backup|restore|upgrade> <url> <file or project> <step> [times]` prints `here` when it
 * stops, `done` when it completes.
 */
import { setTimeout as sleep } from "node:timers/promises";
import pino from "pino";
import { deriveKey } from "@/lib/server/keys";
import { migrate } from "@/lib/server/store/connect";
import { restoreBackup } from "./restore-backup";
import { writeBackup } from "./write-backup";

const [work, url = "", file = "", fatal, times = "1"] = process.argv.slice(2);
const key = deriveKey("a secret of the tests only", "backups");
const log = pino({ level: "silent" });
let seen = 0;

async function onStep(step: string): Promise<void> {
  if (step !== fatal) return;
  seen += 1;
  if (seen < Number(times)) return;
  process.stdout.write("here\n");
  await sleep(600_000);
}

async function main(): Promise<void> {
  if (work === "backup") await writeBackup(url, file, { log, key, build: "", nowMs: 0, onStep });
  else if (work === "restore") {
    const projectRoot = process.cwd();
    await restoreBackup(async () => url, file, { log, projectRoot, keys: [key], nowMs: 0, onStep });
  } else await migrate({ connectionString: url }, { log, projectRoot: file });
  process.stdout.write("done\n");
}

void main();
