import type { Pool } from "pg";
import { failureIn } from "@/lib/contracts/failure";
import { describe, expect, test } from "vitest";
import type { Database } from "./database";
import { boundRows, MAX_ROWS, rowBudget } from "./most-rows";

const rowsOf = (amount: number) => Array.from({ length: amount }, (_, row) => ({ row }));
const REFUSED = { name: "Failure", code: "invalid_request", status: 400 };

describe("a row budget", () => {
  test("reads as many rows as it has, and no more", async () => {
    const budget = rowBudget(10);
    expect(await budget.read((limit) => Promise.resolve(rowsOf(Math.min(limit, 10))))).toHaveLength(
      10,
    );
    expect(budget.left).toBe(0);
    await expect(budget.read((limit) => Promise.resolve(rowsOf(limit)))).rejects.toMatchObject(
      REFUSED,
    );
  });

  test("requests one row more than its limit, to detect that there are more", async () => {
    const limits: number[] = [];
    const read = (budget = rowBudget(10)) =>
      budget.read((limit) => {
        limits.push(limit);
        return Promise.resolve(rowsOf(limit));
      });
    await expect(read()).rejects.toMatchObject({
      message:
        "This needs more than 10 records. Choose a shorter time range or narrow the selection.",
    });
    await expect(read(rowBudget())).rejects.toMatchObject({
      message: expect.stringMatching(/50\D000 records/) as string,
    });
    expect(limits).toEqual([11, MAX_ROWS + 1]);
  });

  test("is shared by statements that run at once, one after the other", async () => {
    const budget = rowBudget(10);
    const limits: number[] = [];
    let running = 0;
    const read = (rows: number) =>
      budget.read(async (limit) => {
        running += 1;
        expect(running).toBe(1);
        limits.push(limit);
        await new Promise(setImmediate);
        running -= 1;
        return rowsOf(rows);
      });
    const results = await Promise.allSettled([read(4), read(6), read(1), read(1)]);
    expect(results.map(({ status }) => status)).toEqual([
      "fulfilled",
      "fulfilled",
      "rejected",
      "rejected",
    ]);
    expect(limits).toEqual([11, 7, 1]);
  });

  test("still works after a failed statement", async () => {
    const budget = rowBudget(10);
    const broken = budget.read(() => Promise.reject(new Error("no connection")));
    await expect(broken).rejects.toThrow("no connection");
    expect(await budget.read(() => Promise.resolve(rowsOf(10)))).toHaveLength(10);
  });
});

describe("a runtime with bounded rows", () => {
  /** A pool whose statements are numbers of rows. */
  function fakeRuntime() {
    const statements: string[] = [];
    const pool = {
      query(statement: string | { text: string }) {
        const text = typeof statement === "string" ? statement : statement.text;
        statements.push(text);
        return Promise.resolve({ rows: rowsOf(Number(text)) });
      },
    };
    const database = { pool: pool as unknown as Pool, orm: {} } as Database;
    return { statements, runtime: { database, retentionDays: 90 } };
  }

  test("counts the rows of every statement, and refuses the next once there are too many", async () => {
    const { statements, runtime } = fakeRuntime();
    const { database, retentionDays } = boundRows(runtime, rowBudget(10));
    expect(retentionDays).toBe(90);
    expect((await database.pool.query("6")).rows).toHaveLength(6);
    expect((await database.pool.query("4")).rows).toHaveLength(4);
    await expect(database.pool.query("1")).rejects.toMatchObject(REFUSED);
    await expect(database.pool.query("0")).rejects.toMatchObject(REFUSED);
    expect(statements).toEqual(["6", "4", "1"]);
    expect((await runtime.database.pool.query("20")).rows).toHaveLength(20);
  });

  test("counts what Drizzle reads as well", async () => {
    const { statements, runtime } = fakeRuntime();
    const { database } = boundRows(runtime, rowBudget(10));
    expect((await database.orm.execute("6")).rows).toHaveLength(6);
    expect((await database.pool.query("4")).rows).toHaveLength(4);
    const refused: unknown = await database.orm.execute("1").catch((error: unknown) => error);
    expect(failureIn(refused)).toMatchObject(REFUSED);
    expect(statements).toEqual(["6", "4", "1"]);
  });
});
