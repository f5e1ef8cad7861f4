import { DrizzleQueryError } from "drizzle-orm/errors";
import { expect, test } from "vitest";
import { createLog, errorForLog, takeConsole } from "./log";

function written(error: unknown): string {
  const lines: string[] = [];
  createLog("info", { write: (line) => void lines.push(line) }).error({ err: error }, "it failed");
  return lines.join("");
}

test("logs an error with type, code, message, stack frames and causes", () => {
  const cause = Object.assign(new Error("connect ECONNREFUSED"), {
    code: "ECONNREFUSED",
    syscall: "connect",
    address: "10.0.0.5",
    port: 5432,
  });
  expect(JSON.parse(written(new Error("no answer", { cause })))).toMatchObject({
    level: "error",
    msg: "it failed",
    err: {
      type: "Error",
      message: "no answer",
      stack: expect.stringMatching(/^at .*log\.test\.ts/),
      cause: {
        message: "10.0.0.5:5432: nothing answers there; check that it's running, and the address.",
        code: "ECONNREFUSED",
        syscall: "connect",
      },
    },
  });
});

test("logs Drizzle's query errors without values, also as a cause", () => {
  const detail = "Failing row contains (ana@example.com, $argon2id$v=19$...).";
  const refused = Object.assign(new Error("null value in column"), { code: "23502", detail });
  const query = new DrizzleQueryError(
    "update people set password_hash = $1 where email = $2",
    ["$argon2id$v=19$...", "ana@example.com\n    at forged (frame.ts:1:1)"],
    refused,
  );
  for (const error of [query, new Error("it was not written", { cause: query })]) {
    const line = written(error);
    expect(line).toContain("update people set password_hash = $1");
    expect(line).toContain("23502");
    expect(line).not.toMatch(/argon2id|ana@example|forged/);
  }
});

test("bounds the length of a line for any error", () => {
  const long = "x".repeat(1_000_000);
  let error: Error = Object.assign(new Error(long), { body: long, code: 7 });
  error.stack = `Error: ${long}\n    at ${long}\n`;
  for (let depth = 0; depth < 50; depth++) error = new Error(long, { cause: error });
  expect(written(error).length).toBeLessThan(8_000);

  const circular = new Error("it is its own cause");
  circular.cause = circular;
  expect(written(circular).length).toBeLessThan(8_000);
});

test("returns values other than errors unchanged", () => {
  expect(errorForLog("nothing")).toBe("nothing");
  expect(errorForLog(null)).toBe(null);
});

test("redirects console output to the log, and errors to the error handler", () => {
  const lines: string[] = [];
  const errors: Error[] = [];
  const { debug, log, info, warn, error: consoleError } = console;
  const error = new Error("it broke");
  takeConsole(createLog("info", { write: (line) => void lines.push(line) }), (one) =>
    errors.push(one),
  );
  try {
    console.log("one\n%s", '{"level":"info"}');
    console.error(error);
    console.error(" \u2a2f", "uncaughtException:", error);
  } finally {
    Object.assign(console, { debug, log, info, warn, error: consoleError });
  }
  expect(lines.map((line) => (JSON.parse(line) as { msg: string }).msg)).toEqual([
    'one\n{"level":"info"}',
  ]);
  expect(errors).toEqual([error, error]);
});

function lineOf(...of: Parameters<ReturnType<typeof createLog>["warn"]>): Record<string, unknown> {
  const lines: string[] = [];
  createLog("info", { write: (line) => void lines.push(line) }).warn(...of);
  return JSON.parse(lines.join("")) as Record<string, unknown>;
}

/** A query error whose values weren't removed at the source. */
function queryError(): Error {
  const refused = Object.assign(new Error('invalid input syntax for type uuid: "hunter2"'), {
    severity: "ERROR",
    code: "22P02",
    detail: "Failing row contains (hunter2).",
    where: "unnamed portal parameter $1 = 'hunter2'",
  });
  const query = "insert into people values ($1)";
  return Object.assign(new Error(`Failed query: ${query}\nparams: hunter2`, { cause: refused }), {
    query,
    params: ["hunter2"],
  });
}

test("logs a failed query with statement and code, without values", () => {
  const line = lineOf({ err: queryError() }, "not written");
  expect(JSON.stringify(line)).not.toContain("hunter2");
  expect(line["err"]).toMatchObject({
    type: "Error",
    message: "Failed query: insert into people values ($1)",
    stack: expect.stringMatching(/^at /),
    cause: { message: "invalid input syntax for type uuid", code: "22P02", severity: "ERROR" },
  });
});

test("logs a failed query as a cause without values", () => {
  const line = lineOf({ err: new Error("outer", { cause: queryError() }) }, "not written");
  expect(JSON.stringify(line)).not.toContain("hunter2");
  expect(line["err"]).toMatchObject({
    message: "outer",
    cause: { message: "Failed query: insert into people values ($1)", cause: { code: "22P02" } },
  });
});

test("logs only listed members of an error", () => {
  const error = Object.assign(new TypeError("odd"), {
    code: "E_ODD",
    body: "hunter2",
    values: [1],
  });
  expect(errorForLog(error)).toEqual({
    type: "TypeError",
    message: "odd",
    code: "E_ODD",
    stack: expect.any(String),
  });
});

test("logs each address of an aggregate connection error", () => {
  const refused = (address: string) =>
    Object.assign(new Error(`connect ECONNREFUSED ${address}`), { code: "ECONNREFUSED", address });
  expect(errorForLog(new AggregateError([refused("::1"), refused("127.0.0.1")], ""))).toMatchObject(
    {
      type: "AggregateError",
      errors: [{ address: "::1" }, { address: "127.0.0.1" }],
    },
  );
});

test("terminates for circular causes and long messages", () => {
  const error = new Error("x".repeat(10_000));
  error.cause = new Error("inner", { cause: error });
  expect(JSON.stringify(errorForLog(error)).length).toBeLessThan(10_000);
});

test("returns a string unchanged", () => {
  expect(errorForLog("just words")).toBe("just words");
});

test("escapes terminal control characters in every part of a line", () => {
  const nasty = "\u001B[2K\u009B2J\u202Eeman\u2028x\n\u007F\u200B";
  const lines: string[] = [];
  const log = createLog("info", { write: (line) => void lines.push(line) });
  const error = Object.assign(new Error(nasty, { cause: new Error(nasty) }), { code: nasty });
  log.child({ company: nasty }).warn({ name: nasty, [nasty]: nasty, err: error }, nasty);
  const [line = ""] = lines;
  expect(line.trimEnd()).not.toMatch(/[\p{C}\p{Zl}\p{Zp}]/u);
  expect(JSON.parse(line)).toMatchObject({
    company: nasty,
    name: nasty,
    msg: nasty,
    err: { message: nasty, code: nasty, cause: { message: nasty } },
  });
});
