import { afterEach, expect, test, vi } from "vitest";
import { CheckStep } from "@/lib/contracts/connections";
import { CHECK_STEPS } from "@/lib/domain/check-steps";
import { checkSteps } from "./check-steps";

const REQUEST = { base_url: "https://a.example", client_id: "id", client_secret: "s" };
const line = (step: CheckStep["step"], ok: boolean | null = true) =>
  `${JSON.stringify({ step, ok, text: step, ms: 1, detail: { note: null } })}\n`;

afterEach(() => vi.unstubAllGlobals());

/** Answers the next request with these pieces. */
function answer(pieces: readonly string[], status = 200): void {
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      for (const piece of pieces) controller.enqueue(new TextEncoder().encode(piece));
      controller.close();
    },
  });
  vi.stubGlobal("fetch", () => Promise.resolve(new Response(body, { status })));
}

async function stepsOf(pieces: readonly string[]): Promise<string[]> {
  answer(pieces);
  const seen: string[] = [];
  await checkSteps(REQUEST, ({ step }) => seen.push(step), new AbortController().signal);
  return seen;
}

test("knows the steps of the contract", () => {
  expect(CHECK_STEPS).toEqual(CheckStep.shape.step.options);
});

test("reports each line as a step, however the response is split", async () => {
  const whole = line("address") + line("token", false) + line("clock", null);
  const middle = whole.indexOf("token") + 2;
  expect(await stepsOf([whole])).toEqual(["address", "token", "clock"]);
  expect(await stepsOf([whole.slice(0, middle), whole.slice(middle)])).toEqual([
    "address",
    "token",
    "clock",
  ]);
  expect(await stepsOf([whole.trimEnd()])).toEqual(["address", "token", "clock"]);
});

test("fails if the response breaks off or isn't of steps", async () => {
  await expect(stepsOf([line("address")])).rejects.toMatchObject({ status: 0 });
  await expect(stepsOf([line("address"), '{"step":"tok'])).rejects.toMatchObject({ status: 0 });
  await expect(stepsOf(["<html>"])).rejects.toMatchObject({ status: 0 });
  await expect(stepsOf([])).rejects.toMatchObject({ status: 0 });
});

test("fails with the status and code of a refusal", async () => {
  answer(['{"error":"too_many_requests","error_description":"Wait."}'], 429);
  await expect(checkSteps(REQUEST, () => {}, new AbortController().signal)).rejects.toMatchObject({
    status: 429,
    code: "too_many_requests",
    description: "Wait.",
  });
});
