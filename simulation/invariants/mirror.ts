import { RECOVERED_MS } from "../faults";
import { isThere, type SimulatedFile } from "../schedule-files";
import { Broken, type Scene } from "../simulation";

type MirroredFile = {
  company: string;
  id: string;
  name: string;
  uploaded_ms: string;
  is_there: boolean;
};

const EVERY_MS = 10 * 60_000;
/** How often the newest page was read within `RECOVERED_MS` if the list was read in whole since: a scan reads it, too. */
const READS = 3;

/**
 * The mirror holds only schedule files that were uploaded. Where nothing went wrong for an hour, and the list was read
 * meanwhile, it says of each that hasn't changed since whether it is there.
 */
export function createMirrorCheck() {
  let nextMs = 0;
  return async (scene: Scene, isEnd: boolean): Promise<void> => {
    const { time, control, api, world } = scene;
    if (time.nowMs() < nextMs && !isEnd) return;
    nextMs = time.nowMs() + EVERY_MS;
    const mirrored = await control.rows<MirroredFile>(
      `select company, id, name, (extract(epoch from uploaded_at) * 1000)::bigint as uploaded_ms, gone_at is null as is_there
       from schedule_files`,
    );
    const known = new Map(mirrored.map((row) => [`${row.company} ${row.id}`, row]));
    for (const { slug } of world.companies) {
      const files = new Map(api.files(slug).map((file) => [String(file.served.id), file]));
      for (const row of mirrored) if (row.company === slug) checkUploaded(row, files, scene);
      if (!isSettled(slug, scene)) continue;
      for (const [id, file] of files) checkThere(`${slug} ${id}`, file, { known, scene });
    }
  };
}

function checkUploaded(
  { company, id, name, uploaded_ms: uploadedMs }: MirroredFile,
  files: ReadonlyMap<string, SimulatedFile>,
  { time }: Scene,
): void {
  const file = files.get(id);
  const isTrue =
    file !== undefined &&
    file.served.name === name &&
    file.uploadedMs === Number(uploadedMs) &&
    file.uploadedMs <= time.nowMs();
  if (!isTrue) throw new Broken("mirror", `file ${id} of ${company} was never uploaded as ${name}`);
}

/** Whether nothing went wrong lately, and the list was read since. */
function isSettled(company: string, { faults, time, api }: Scene): boolean {
  const sinceMs = time.nowMs() - RECOVERED_MS;
  if (faults.some(({ fromMs, untilMs }) => fromMs <= time.nowMs() && untilMs > sinceMs))
    return false;
  const read: ListPage[] = [];
  for (let at = api.seen.length - 1; at >= 0; at -= 1) {
    const one = api.seen[at];
    if (one === undefined || one.atMs < sinceMs) break;
    if (one.company !== company || one.path !== "/schedule_files" || one.page === null) continue;
    if (one.arrivedMs !== null && one.status === 200) read.unshift(one.page);
  }
  return read.filter(({ page }) => page === 1).length >= READS && isWhole(read);
}

type ListPage = NonNullable<Scene["api"]["seen"][number]["page"]>;

/** Whether all pages of a list were read in order while it had as many files. The first may be read again meanwhile. */
function isWhole(read: readonly ListPage[]): boolean {
  let [next, files] = [1, -1];
  for (const { page, of, count } of read) {
    if (count !== files) [next, files] = [1, count];
    if (page !== next) continue;
    if (page === of) return true;
    next += 1;
  }
  return false;
}

function checkThere(
  key: string,
  file: SimulatedFile,
  { known, scene }: { known: ReadonlyMap<string, MirroredFile>; scene: Scene },
): void {
  const nowMs = scene.time.nowMs();
  const hasChanged = [file.uploadedMs, file.removedMs].some(
    (ms) => ms > nowMs - RECOVERED_MS && ms <= nowMs,
  );
  if (hasChanged) return;
  const isKnown = known.get(key)?.is_there === true;
  const isTrue = isThere(file, nowMs);
  if (isKnown === isTrue) return;
  throw new Broken(
    "mirror",
    isTrue ? `file ${key} is there, and isn't known` : `file ${key} is gone, and isn't known to be`,
  );
}
