import { expect, test } from "vitest";
import type { StreamedResponse } from "@/lib/server/http/handler-response";
import { toResponse } from "./next-response";
import { LENGTH } from "./routed-headers.mjs";

const requestOf = (method = "GET", signal = new AbortController().signal) => ({ method, signal });

/** An endless export, and whether it has been ended. */
function endless(): { answer: StreamedResponse; isEnded: () => boolean } {
  let ended = false;
  async function* pieces(): AsyncGenerator<string, void, void> {
    try {
      while (true) yield "piece\n";
    } finally {
      ended = true;
    }
  }
  const started = pieces();
  return { answer: { status: 200, headers: {}, pieces: started }, isEnded: () => ended };
}

test("sets its length in bytes in our header, because Next drops Content-Length", async () => {
  const plain = await toResponse({ status: 200, headers: {}, body: "é" }, requestOf());
  const made = await toResponse(Response.json({ a: 1 }, { status: 201 }), requestOf());
  expect([plain.headers.get(LENGTH), await plain.text()]).toEqual(["2", "é"]);
  expect([made.status, made.headers.get(LENGTH), await made.json()]).toEqual([201, "7", { a: 1 }]);
});

test("has a length but no body for HEAD", async () => {
  const { headers, body } = await toResponse(
    { status: 200, headers: { "x-own": "1" }, body: "twelve bytes" },
    requestOf("HEAD"),
  );
  expect([headers.get(LENGTH), headers.get("x-own"), body]).toEqual(["12", "1", null]);
});

test("sends a long body in pieces, the same bytes, between which other work runs", async () => {
  const text = "naïve 日本 😀 ".repeat(20_000);
  const bytes = new TextEncoder().encode(text);
  for (const body of [text, bytes]) {
    const response = await toResponse(
      { status: 200, headers: { "x-own": "1" }, body },
      requestOf(),
    );
    expect([response.headers.get(LENGTH), response.headers.get("x-own")]).toEqual([
      String(bytes.length),
      "1",
    ]);
    let between = 0;
    let isOver = false;
    const other = () => {
      between += 1;
      if (!isOver) setImmediate(other);
    };
    setImmediate(other);
    const got: Uint8Array[] = [];
    for await (const piece of response.body ?? []) got.push(piece);
    isOver = true;
    expect(Buffer.concat(got).equals(bytes)).toBe(true);
    expect(Math.max(...got.map(({ length }) => length))).toBeLessThanOrEqual(65_536);
    expect(between).toBeGreaterThanOrEqual(got.length - 1);
    const head = await toResponse({ status: 200, headers: {}, body }, requestOf("HEAD"));
    expect([head.headers.get(LENGTH), head.body]).toEqual([String(bytes.length), null]);
  }
});

test("keeps cookies in separate headers", async () => {
  const answer = Response.json({});
  answer.headers.append("set-cookie", "a=1");
  answer.headers.append("set-cookie", "b=2");
  expect((await toResponse(answer, requestOf())).headers.getSetCookie()).toEqual(["a=1", "b=2"]);
});

test("has no body if the response has none", async () => {
  const { status, body, headers } = await toResponse(
    new Response(null, { status: 204 }),
    requestOf(),
  );
  expect([status, body, headers.get(LENGTH)]).toEqual([204, null, null]);
  const led = await toResponse(Response.redirect("http://localhost/pair", 303), requestOf());
  expect([led.status, led.body, led.headers.get(LENGTH)]).toEqual([303, null, "0"]);
});

test("ends an export for HEAD, and if its client disconnected before it starts", async () => {
  const [head, gone] = [endless(), endless()];
  for (const { answer } of [head, gone]) await answer.pieces.next();
  expect((await toResponse(head.answer, requestOf("HEAD"))).body).toBeNull();
  expect((await toResponse(gone.answer, requestOf("GET", AbortSignal.abort()))).body).toBeNull();
  expect([head.isEnded(), gone.isEnded()]).toEqual([true, true]);
});

test("ends an export when its client disconnects, whether it's being read or not", async () => {
  const { answer, isEnded } = endless();
  const client = new AbortController();
  const response = await toResponse(answer, requestOf("GET", client.signal));
  const reader = response.body?.getReader();
  await reader?.read();
  expect(isEnded()).toBe(false);
  client.abort();
  await new Promise(setImmediate);
  expect(isEnded()).toBe(true);
});

test("raises no uncaught error when clients leave an export while it is read", async () => {
  const errors: unknown[] = [];
  const note = (error: unknown) => errors.push(error);
  process.on("uncaughtException", note).on("unhandledRejection", note);
  for (let turn = 0; turn < 20; turn += 1) {
    const { answer, isEnded } = endless();
    const client = new AbortController();
    const response = await toResponse(answer, requestOf("GET", client.signal));
    const reader = response.body?.getReader();
    const reading = reader?.read();
    client.abort();
    await reading;
    await reader?.cancel();
    await new Promise(setImmediate);
    expect(isEnded()).toBe(true);
  }
  process.off("uncaughtException", note).off("unhandledRejection", note);
  expect(errors).toEqual([]);
});

test("ends an export when its reader cancels", async () => {
  const { answer, isEnded } = endless();
  const response = await toResponse(answer, requestOf());
  const reader = response.body?.getReader();
  await reader?.read();
  await reader?.cancel();
  await new Promise(setImmediate);
  expect(isEnded()).toBe(true);
});
