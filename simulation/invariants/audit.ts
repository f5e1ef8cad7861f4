import { createHmac } from "node:crypto";
import { TEST_KEYS } from "@/lib/server/store/audit/audit-fixture";
import { Broken, type Scene } from "../simulation";
import { createRestoreWatch } from "./restore-watch";

type Row = {
  company: string;
  seq: string;
  at_ms: string;
  kind: string;
  action_id: string;
  event: string;
  person_id: string | null;
  person_name: string | null;
  person_email: string | null;
  request_id: string | null;
  detail: unknown;
  key_id: string;
  hash: string;
};
type Last = { seq: number; hash: string };

const HOUR_MS = 3_600_000;
const FIRST: Last = { seq: 0, hash: "0".repeat(64) };

/** The audit log of every company is a chain without a gap, signed row by row, and ends where its head says. */
export function createAuditCheck() {
  const ends = new Map<string, Last>();
  const isRestored = createRestoreWatch();
  let nextMs = 0;
  return async (scene: Scene, isEnd: boolean): Promise<void> => {
    const { time, control } = scene;
    if (isRestored(scene)) ends.clear();
    if (time.nowMs() < nextMs && !isEnd) return;
    nextMs = time.nowMs() + HOUR_MS;
    const heads = await control.rows<{ company: string; seq: string; hash: string }>(
      "select company, seq, hash from audit_heads",
    );
    for (const head of heads) {
      const { company } = head;
      let last = ends.get(company) ?? FIRST;
      const rows = await control.rows<Row>(
        `select *, (extract(epoch from at) * 1000)::bigint as at_ms from audit_log
         where company = $1 and seq > $2 order by seq`,
        [company, last.seq],
      );
      for (const row of rows) {
        const name = `row ${row.seq} of ${company}`;
        if (Number(row.seq) !== last.seq + 1)
          throw new Broken("audit log", `${name} follows row ${last.seq}`);
        if (row.hash !== signed(last.hash, row))
          throw new Broken("audit log", `${name} isn't what was signed`);
        last = { seq: Number(row.seq), hash: row.hash };
      }
      ends.set(company, last);
      if (Number(head.seq) !== last.seq || head.hash !== last.hash)
        throw new Broken("audit log", `${company} ends with row ${last.seq}, not ${head.seq}`);
    }
  };
}

function signed(before: string, row: Row): string | null {
  const key = TEST_KEYS.known.get(row.key_id);
  if (key === undefined) return null;
  const content = [
    row.company,
    Number(row.seq),
    new Date(Number(row.at_ms)).toISOString(),
    row.kind,
    row.action_id,
    row.event,
    row.person_id,
    row.person_name,
    row.person_email,
    row.request_id,
    inOrder(row.detail),
  ];
  return createHmac("sha256", key)
    .update(`${row.key_id}\n${before}\n${JSON.stringify(content)}`)
    .digest("hex");
}

function inOrder(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(inOrder);
  if (value === null || typeof value !== "object") return value;
  const members = Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(members.map(([name, member]) => [name, inOrder(member)]));
}
