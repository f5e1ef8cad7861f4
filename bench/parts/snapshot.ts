import { brotliDecompressSync } from "node:zlib";
import type { Bench } from "@/bench/bench";
import { putReady, READY_PATH } from "@/bench/floor";
import { cpuMsPerRequest, fetchOnce } from "@/bench/load";
import { snapshotPath } from "@/bench/plumbline";
import type { Row } from "@/bench/table";

const GOAL = { of: "ratio", most: 1.3 } as const;

/** The snapshot JSON, whole and unchanged, at 500 endpoints and per byte sent at 5,000. */
export async function snapshot(bench: Bench): Promise<Row[]> {
  const [board, floor] = [await bench.board(), await bench.floor()];
  const headers = { cookie: board.cookie, "accept-encoding": "br" };
  const ask = (size: number) => ({ server: board, path: snapshotPath(size), headers });
  const [small, large] = [await fetchOnce(ask(500)), await fetchOnce(ask(5000))];
  await putReady(floor, new Uint8Array(brotliDecompressSync(small.body)));
  const ready = { server: floor, path: READY_PATH, headers };
  const { etag } = await fetchOnce(ready);

  const [floorWhole = 0, whole = 0, largeWhole = 0, floorSame = 0, same = 0] =
    await cpuMsPerRequest([
      { ...ready, status: 200 },
      { ...ask(500), status: 200 },
      { ...ask(5000), status: 200 },
      { ...ready, headers: { ...headers, "if-none-match": etag }, status: 304 },
      { ...ask(500), headers: { ...headers, "if-none-match": small.etag }, status: 304 },
    ]);
  const perKb = (cpuMs: number, body: Uint8Array) => (cpuMs * 1000) / (body.length / 1000);
  return [
    {
      what: "snapshot of 500 endpoints, compressed: CPU a request",
      against: "a Next handler sending the same bytes, ready but not compressed",
      floor: floorWhole,
      ours: whole,
      unit: "ms",
      goal: GOAL,
    },
    {
      what: "snapshot of 500 endpoints, unchanged (304): CPU a request",
      against: "a Next handler answering 304",
      floor: floorSame,
      ours: same,
      unit: "ms",
      goal: GOAL,
    },
    {
      what: "snapshot of 5,000 endpoints, compressed: CPU a byte sent",
      against: "at 500 endpoints",
      floor: perKb(whole, small.body),
      ours: perKb(largeWhole, large.body),
      unit: "µs/kB",
      goal: GOAL,
    },
  ];
}
