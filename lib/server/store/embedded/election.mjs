import { randomUUID } from "node:crypto";
import fs from "node:fs";
import net from "node:net";
import { removeFile } from "./remove-file.mjs";

/** @returns {number[]} generations present, ascending */
function generations() {
  return fs
    .readdirSync("run")
    .flatMap((name) => {
      const match = /^control\.(\d+)$/.exec(name);
      return match ? [Number(match[1])] : [];
    })
    .toSorted((a, b) => a - b);
}

/**
 * @param {number} generation
 * @returns {Promise<boolean>} false only when the kernel reports that no process is listening
 */
function isHeld(generation) {
  return new Promise((resolve) => {
    const probe = net.connect(`run/control.${generation}`);
    probe.on("connect", () => {
      probe.destroy();
      resolve(true);
    });
    probe.on("error", (/** @type {NodeJS.ErrnoException} */ error) => {
      resolve(error.code !== "ECONNREFUSED" && error.code !== "ENOENT");
    });
  });
}

/**
 * @param {net.Server} server
 * @returns {Promise<number | null>} the generation won, or null: another supervisor is running
 */
export async function elect(server) {
  const candidate = `run/candidate.${randomUUID().slice(0, 8)}`;
  await new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(candidate, () => resolve(undefined));
  });
  try {
    const latest = generations().at(-1) ?? 0;
    if (latest > 0 && (await isHeld(latest))) return null;
    const mine = latest + 1;
    try {
      fs.linkSync(candidate, `run/control.${mine}`);
    } catch (error) {
      const { code } = /** @type {NodeJS.ErrnoException} */ (error);
      // EEXIST: another was faster. ENOENT: it has already removed our candidate.
      if (code === "EEXIST" || code === "ENOENT") return null;
      throw error;
    }
    // The list may have been read before others came and went; the highest name counts.
    if ((generations().at(-1) ?? 0) > mine) {
      removeFile(`run/control.${mine}`);
      return null;
    }
    for (const name of fs.readdirSync("run")) {
      const isOlder = generations().some((n) => n < mine && name === `control.${n}`);
      if (isOlder || name.startsWith("candidate.")) removeFile(`run/${name}`);
    }
    return mine;
  } finally {
    removeFile(candidate);
  }
}
