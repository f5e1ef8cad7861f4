import { QueryClient, QueryObserver } from "@tanstack/react-query";
import { afterEach, describe, expect, it } from "vitest";
import { follow, taggedInterval, untagged, viewOf, type Tagged } from "./tagged";

const KEY = ["list"];
const client = new QueryClient();
afterEach(() => client.clear());

/** Observes a list whose responses are `etags`, one after the other. */
async function observed(etags: (string | null)[]) {
  const shown: string[] = [];
  const observer = new QueryObserver<Tagged<{ list: string }>, Error, { list: string }>(client, {
    queryKey: KEY,
    queryFn: () => {
      const etag = etags.shift() ?? null;
      return Promise.resolve({ ...untagged({ list: etag ?? "untagged" }), etag });
    },
    select: viewOf,
  });
  const stop = observer.subscribe(({ data }) => {
    if (data !== undefined && shown.at(-1) !== data.list) shown.push(data.list);
  });
  await client.getQueryCache().find({ queryKey: KEY })?.promise;
  const settle = () =>
    new Promise<void>((resolve) => {
      const check = () => (client.isFetching() === 0 ? resolve() : queueMicrotask(check));
      check();
    });
  await settle();
  return { shown, settle, stop, left: () => etags.length };
}

describe("a list whose ETag comes with other responses", () => {
  it("is requested when its ETag has changed, and only then", async () => {
    const { shown, settle, left, stop } = await observed(["one", "two"]);
    follow(client, KEY, "one");
    await settle();
    expect(left()).toBe(1);
    follow(client, KEY, "two");
    await settle();
    expect(shown).toEqual(["one", "two"]);
    follow(client, KEY, "two");
    await settle();
    expect(left()).toBe(0);
    stop();
  });

  it("is confirmed as of now, and then not requested before it can be confirmed again", async () => {
    const { stop } = await observed(["one"]);
    const everyMs = taggedInterval(20_000);
    const state = () => ({ state: { data: client.getQueryData<Tagged<unknown>>(KEY) } });
    expect(everyMs(state())).toBe(20_000);
    const beforeMs = client.getQueryState(KEY)?.dataUpdatedAt ?? 0;
    client.setQueryData(KEY, (known: unknown) => known, { updatedAt: 1 });
    follow(client, KEY, "one");
    expect(client.getQueryState(KEY)?.dataUpdatedAt).toBeGreaterThanOrEqual(beforeMs);
    expect(everyMs(state())).toBeGreaterThan(20_000);
    stop();
  });

  it("isn't confirmed by an unknown ETag", async () => {
    const { stop, left } = await observed(["one", "two"]);
    for (const unknown of ["", null]) follow(client, KEY, unknown);
    expect(client.getQueryData<Tagged<unknown>>(KEY)?.isConfirmed).toBe(false);
    expect(left()).toBe(1);
    stop();
  });

  it("is requested if its own response had no ETag", async () => {
    const { shown, settle, stop } = await observed([null, "one"]);
    follow(client, KEY, "one");
    await settle();
    expect(shown).toEqual(["untagged", "one"]);
    stop();
  });

  it("is confirmed after a failed request, because it is what our server has", async () => {
    const { stop, settle } = await observed(["one"]);
    await client
      .fetchQuery({
        queryKey: KEY,
        queryFn: () => Promise.reject(new Error("away")),
        retry: false,
      })
      .catch(() => {});
    await settle();
    expect(client.getQueryState(KEY)?.status).toBe("error");
    follow(client, KEY, "one");
    expect(client.getQueryState(KEY)?.status).toBe("success");
    stop();
  });

  it("isn't requested before a page shows it", () => {
    follow(client, KEY, "one");
    expect(client.getQueryCache().find({ queryKey: KEY })).toBeUndefined();
  });
});
