import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { fileProblem, makeFolder, naming, plainCause, plainMessage } from "./file-problem.mjs";

const root = mkdtempSync(path.join(tmpdir(), "plumbline-folders-"));
afterAll(() => rmSync(root, { recursive: true, force: true }));

const failed = (code: string, more: object = {}) =>
  Object.assign(new Error(`${code}: as the system says it`), { code, syscall: "open", ...more });

/** Returns the thrown error. */
function thrownBy(work: () => void): unknown {
  try {
    work();
  } catch (error) {
    return error;
  }
  throw new Error("nothing was thrown");
}

describe("the message for a file error", () => {
  test.each([
    "EACCES",
    "EEXIST",
    "EIO",
    "EISDIR",
    "ENOENT",
    "ENOSPC",
    "ENOTDIR",
    "EROFS",
    "EWHATEVER",
  ])("is a sentence that names the path, not the error code, for %s", (code) => {
    const said = plainMessage(failed(code, { path: "/data/x" }));
    expect(said).toMatch(/^\/data\/x: .+\.$/);
    expect(said).not.toMatch(/\bE[A-Z]{3,}\b/);
  });

  test("works without a path, and leaves other errors unchanged", () => {
    expect(plainMessage(failed("ENOSPC"))).toBe("The disk is full; free some space.");
    expect(plainMessage(new Error("a sentence"))).toBe("a sentence");
    expect(plainMessage("a word")).toBe("a word");
    expect(fileProblem(new Error("a sentence"))).toBeNull();
  });

  test("is prefixed with the variable that caused it", async () => {
    const work = () => Promise.reject(failed("EROFS", { path: "/data/x" }));
    await expect(naming("DATA_DIR", work)).rejects.toThrow(
      "DATA_DIR: /data/x: the disk is read-only; choose another place or make it writable.",
    );
  });
});

describe("the message for a connection error", () => {
  const refused = (code: string, more: object) =>
    Object.assign(new Error(`connect ${code} as the system says it`), {
      code,
      syscall: "connect",
      ...more,
    });

  test.each([
    ["ECONNREFUSED", { address: "127.0.0.1", port: 5432 }, /^127\.0\.0\.1:5432: nothing answers/],
    ["ENOENT", { address: "/run/.s.PGSQL.5432" }, /^\/run\/\.s\.PGSQL\.5432: nothing answers/],
    ["ENOTFOUND", { syscall: "getaddrinfo", hostname: "db.example" }, /^db\.example: there's no/],
    ["EHOSTUNREACH", { address: "10.0.0.1", port: 443 }, /^10\.0\.0\.1:443: it can't be reached/],
    ["ECONNRESET", { syscall: "read" }, /^The other end: it ended the connection/],
    ["EWHATEVER", { address: "10.0.0.1", port: 443 }, /^10\.0\.0\.1:443: it can't be reached/],
  ])("is a sentence that names the remote end, not the error code, for %s", (code, more, says) => {
    const error = refused(code, more);
    for (const said of [
      plainMessage(error),
      plainMessage(new AggregateError([error, error], "")),
      plainCause(new Error("Failed query: select", { cause: error })),
    ]) {
      expect(said).toMatch(says);
      expect(said).not.toMatch(/\bE[A-Z]{3,}\b/);
    }
  });

  test("isn't used for read and write errors of files", () => {
    expect(plainMessage(failed("EIO", { syscall: "read" }))).toBe(
      "The disk failed to read or write it; check the disk.",
    );
  });
});

describe("makeFolder", () => {
  test("creates a folder and its parents with mode 0700, and leaves an existing one unchanged", () => {
    const folder = path.join(root, "a/b/c");
    makeFolder(folder);
    expect(statSync(folder).mode & 0o777).toBe(0o700);
    writeFileSync(path.join(folder, "kept"), "kept");
    makeFolder(folder);
    expect(readFileSync(path.join(folder, "kept"), "utf8")).toBe("kept");
  });

  test("fails instead of looping where the file system accepts no folders", () => {
    expect(thrownBy(() => makeFolder("/proc/plumbline/x"))).toMatchObject({ syscall: "mkdir" });
    expect(existsSync("/proc/plumbline")).toBe(false);
  });

  test("fails if the path or a parent is a file", () => {
    const file = path.join(root, "file");
    writeFileSync(file, "");
    expect(plainMessage(thrownBy(() => makeFolder(file)))).toContain(
      "something else is in its place",
    );
    expect(plainMessage(thrownBy(() => makeFolder(path.join(file, "x"))))).toContain(
      "is a file, not a folder",
    );
  });
});
