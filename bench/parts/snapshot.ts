import type { Bench } from "@/bench/bench";
import { BARE_ETAG, putBare } from "@/bench/floor";
import { cpuMsPerRequest, fetchOnce } from "@/bench/load";
import { snapshotPath } from "@/bench/plumbline";
import type { Row } from "@/bench/table";

/** Enough for the loads of this part, which send 200,000 requests a minute. */
const SESSIONS = 400;

/** The most frequent requests, sent by every open page and every wall: CPU per request, against bare `node:http`. */
export async function snapshot(bench: Bench): Promise<Row[]> {
  const [board, bare] = [await bench.board(), await bench.bare()];
  const cookies = await board.signInAgain(SESSIONS);
  const headers = { "accept-encoding": "br" };
  const ask = (size: number) => ({ server: board, path: snapshotPath(size), headers, cookies });
  const wall = { server: board, path: "/api/wall", headers, cookies };
  const own = { ...headers, cookie: board.cookie };
  const [small, large, list] = [
    await fetchOnce({ ...ask(500), headers: own }),
    await fetchOnce({ ...ask(5000), headers: own }),
    await fetchOnce({ ...wall, headers: own }),
  ];
  await putBare(bare, small);
  const ready = { server: bare, path: snapshotPath(500), headers };

  const [floorWhole = 0, whole = 0, largeWhole = 0, floorSame = 0, same = 0] =
    await cpuMsPerRequest([
      { ...ready, status: 200 },
      { ...ask(500), status: 200 },
      { ...ask(5000), status: 200 },
      { ...ready, headers: { ...headers, "if-none-match": BARE_ETAG }, status: 304 },
      { ...ask(500), headers: { ...headers, "if-none-match": small.etag }, status: 304 },
    ]);
  await putBare(bare, list);
  const [floorList = 0, ownList = 0] = await cpuMsPerRequest([
    { ...ready, path: wall.path, status: 200 },
    { ...wall, status: 200 },
  ]);
  const perKb = (cpuMs: number, body: Uint8Array) => (cpuMs * 1000) / (body.length / 1000);
  const against = "bare node:http sending the same ready bytes";
  return [
    {
      what: "snapshot of 500 endpoints, compressed: CPU a request",
      against,
      floor: floorWhole,
      ours: whole,
      unit: "ms",
      goal: { of: "ratio", most: 2.5 },
    },
    {
      what: "snapshot of 500 endpoints, unchanged (304): CPU a request",
      against: "a bare 304",
      floor: floorSame,
      ours: same,
      unit: "ms",
      goal: { of: "ratio", most: 3 },
    },
    {
      what: "list of a wall: CPU a request",
      against,
      floor: floorList,
      ours: ownList,
      unit: "ms",
      goal: { of: "ratio", most: 2.5 },
    },
    {
      what: "snapshot of 5,000 endpoints, compressed: CPU a byte sent",
      against: "at 500 endpoints",
      floor: perKb(whole, small.body),
      ours: perKb(largeWhole, large.body),
      unit: "µs/kB",
      goal: { of: "ratio", most: 1.3 },
    },
  ];
}
