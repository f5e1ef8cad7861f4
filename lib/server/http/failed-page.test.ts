import { once } from "node:events";
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import compression from "compression";
import { afterEach, describe, expect, test } from "vitest";
import { explainFailure } from "./pages.mjs";

const CLOSING: (() => void)[] = [];
afterEach(() => {
  for (const close of CLOSING.splice(0)) close();
});

/** Requests a page from a server that renders it with `render`, and compresses it as ours does. */
async function answered(
  render: (response: ServerResponse) => void,
  isAway: boolean,
  { method = "GET", path = "/" } = {},
) {
  const compress = compression({ threshold: 0 });
  const server = createServer((request, response) => {
    response.setHeader("x-of-the-front", "stays");
    compress(request as never, response as never, () => {
      explainFailure(response, path, () => Promise.resolve(isAway));
      render(response);
    });
  }).listen(0, "127.0.0.1");
  CLOSING.push(() => server.close());
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  const answer = await fetch(`http://127.0.0.1:${port}${path}`, { method, redirect: "manual" });
  return { status: answer.status, headers: answer.headers, text: await answer.text() };
}

const failed = (response: ServerResponse) => {
  response.statusCode = 500;
  response.setHeader("link", "</font.woff2>; rel=preload");
  response.write("Check your ");
  response.end("connection.");
};

describe("a failed page", () => {
  test("reports an unavailable database with 503, and reloads until it is back", async () => {
    const { status, headers, text } = await answered(failed, true);
    expect(status).toBe(503);
    expect(text).toContain("Plumbline can’t reach its database");
    expect(text).toContain('<meta http-equiv="refresh" content="5">');
    expect(text).not.toContain("Check your");
    expect(Object.fromEntries(headers)).toMatchObject({
      "retry-after": "5",
      "cache-control": "private, no-store",
      "content-type": "text/html; charset=utf-8",
      "x-of-the-front": "stays",
    });
    expect(headers.get("link")).toBeNull();
  });

  test("handles HEAD, and a head written explicitly", async () => {
    expect(await answered(failed, true, { method: "HEAD" })).toMatchObject({
      status: 503,
      text: "",
    });
    const written = await answered((response) => {
      response.writeHead(500, { "content-type": "text/plain" });
      response.end("no");
    }, true);
    expect(written).toMatchObject({ status: 503 });
    expect(written.headers.get("content-type")).toBe("text/html; charset=utf-8");
  });

  test("may be framed only at a wall's address", async () => {
    const framers = async (path: string) => {
      const { headers } = await answered(failed, true, { path });
      return /frame-ancestors (.*)$/.exec(headers.get("content-security-policy") ?? "")?.[1];
    };
    process.env["WALL_FRAME_ORIGINS"] = "https://intranet.example.com";
    try {
      for (const path of ["/wall", "/northgate/wall", "/wall/plain"]) {
        expect(await framers(path)).toBe("'self' https://intranet.example.com");
      }
      for (const path of ["/", "/northgate", "/settings/wallets"]) {
        expect(await framers(path)).toBe("'none'");
      }
    } finally {
      delete process.env["WALL_FRAME_ORIGINS"];
    }
  });

  test("is unchanged while the database is available", async () => {
    const { status, headers, text } = await answered(failed, false);
    expect({ status, text }).toEqual({ status: 500, text: "Check your connection." });
    expect(headers.get("link")).toBe("</font.woff2>; rel=preload");
  });
});

test.each([200, 404])(
  "passes a response with %i unchanged while the database is unavailable",
  async (code) => {
    const { status, text } = await answered((response) => {
      response.statusCode = code;
      response.write("as ");
      response.end("it is");
    }, true);
    expect({ status, text }).toEqual({ status: code, text: "as it is" });
  },
);

test.each([301, 302, 303, 307, 308])("a redirect with status %i has no body", async (status) => {
  for (const isWritten of [true, false]) {
    const redirected = await answered((response) => {
      const headers = { location: "/pair/step", "content-type": "text/html", link: "</a.woff2>" };
      if (isWritten) response.writeHead(status, headers);
      else response.statusCode = status;
      if (!isWritten) response.setHeaders(new Map(Object.entries(headers)));
      response.write('<html id="__next_error__">');
      response.end("</html>");
    }, true);
    expect(redirected).toMatchObject({ status, text: "" });
    expect(Object.fromEntries(redirected.headers)).toMatchObject({
      location: "/pair/step",
      "content-length": "0",
      "x-of-the-front": "stays",
    });
    expect(redirected.headers.get("content-type")).toBeNull();
    expect(redirected.headers.get("link")).toBeNull();
  }
});

test("an answer that hasn't changed passes as it is", async () => {
  const unchanged = await answered((response) => {
    response.writeHead(304, { etag: '"a"' });
    response.end();
  }, true);
  expect(unchanged.status).toBe(304);
  expect(unchanged.headers.get("etag")).toBe('"a"');
});
