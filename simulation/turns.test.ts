import { expect, test } from "vitest";
import { createRandom } from "./random";
import { createTurns, type Turns } from "./turns";

const free = () => false;

/** Takes a turn that adds its name to `order`. */
function take(
  turns: Turns,
  order: string[],
  name: string,
  of: object | null = null,
): Promise<void> {
  const run = () => {
    order.push(name);
    return Promise.resolve(() => undefined);
  };
  return turns.take({ of, isHeldUp: free, run });
}

async function orderOf(seed: number): Promise<string[]> {
  const turns = createTurns(createRandom(seed));
  const order: string[] = [];
  for (const name of ["a", "b", "c", "d", "e", "f"]) void take(turns, order, name);
  await turns.settle();
  return order;
}

test("the order follows from the seed", async () => {
  expect(await orderOf(1)).toEqual(await orderOf(1));
  const orders = new Set<string>();
  for (const seed of [1, 2, 3, 4]) orders.add((await orderOf(seed)).join(""));
  expect(orders.size).toBeGreaterThan(1);
});

test("operations of one subject keep their order", async () => {
  for (let seed = 0; seed < 20; seed += 1) {
    const turns = createTurns(createRandom(seed));
    const [order, of] = [[] as string[], {}];
    for (const name of ["1", "2", "3"]) void take(turns, order, name, of);
    for (const name of ["a", "b", "c"]) void take(turns, order, name);
    await turns.settle();
    expect(order.filter((name) => /\d/.test(name))).toEqual(["1", "2", "3"]);
  }
});

test("what follows an operation is asked for before the next one is chosen", async () => {
  const turns = createTurns(createRandom(1));
  const order: string[] = [];
  const twice = async () => {
    await take(turns, order, "first");
    for (let slice = 0; slice < 5; slice += 1) await new Promise(setImmediate);
    await take(turns, order, "second");
  };
  const ended = twice();
  await turns.settle();
  await ended;
  expect(order).toEqual(["first", "second"]);
});

test("while a transaction is open, only its operations run", async () => {
  for (let seed = 0; seed < 20; seed += 1) {
    const turns = createTurns(createRandom(seed));
    const [order, of] = [[] as string[], {}];
    turns.hold(of);
    void take(turns, order, "other");
    void take(turns, order, "1", of);
    void take(turns, order, "2", of).then(() => turns.release(of));
    await turns.settle();
    expect(order).toEqual(["1", "2", "other"]);
  }
});

test("operations that are held up wait, those that are dropped never run", async () => {
  const turns = createTurns(createRandom(1));
  const [order, of] = [[] as string[], {}];
  let isHeldUp = true;
  const run = () => {
    order.push("held up");
    return Promise.resolve(() => undefined);
  };
  void turns.take({ of: null, isHeldUp: () => isHeldUp, run });
  void take(turns, order, "dropped", of);
  turns.drop(of);
  void take(turns, order, "free");
  await turns.settle();
  expect(order).toEqual(["free"]);
  isHeldUp = false;
  await turns.settle();
  expect(order).toEqual(["free", "held up"]);
});
