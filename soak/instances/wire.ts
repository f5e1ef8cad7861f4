import { once } from "node:events";
import net, { type AddressInfo, type Socket } from "node:net";

/** State of the proxy between an app and its database. */
export type WireState =
  | "whole"
  /** Nothing arrives any more in either direction, without an error. */
  | "stalled"
  /** Requests of the app arrive; responses don't. */
  | "mute"
  /** Existing connections work; new ones are refused. */
  | "refusing";

/** A proxy from TCP to a Unix socket that fails on command. */
export type Wire = {
  port: number;
  /** `whole` delivers the held-back data. */
  become(state: WireState): void;
  /** Resets every connection. */
  reset(): void;
  close(): Promise<void>;
};

/** @param socketPath the target Unix socket */
export async function startWire(socketPath: string): Promise<Wire> {
  let state: WireState = "whole";
  const ways = new Set<Way>();
  const server = net.createServer((app) => {
    app.setNoDelay(true);
    if (state === "refusing") app.resetAndDestroy();
    else ways.add(openWay(app, socketPath, (way) => ways.delete(way)));
    for (const way of ways) way.hold(heldIn(state));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    port: (server.address() as AddressInfo).port,
    become(next) {
      state = next;
      for (const way of ways) way.hold(heldIn(state));
    },
    reset() {
      for (const way of ways) way.reset();
    },
    async close() {
      for (const way of ways) way.reset();
      server.close();
      await once(server, "close");
    },
  };
}

type Held = { requests: boolean; answers: boolean };
const heldIn = (state: WireState): Held => ({
  requests: state === "stalled",
  answers: state === "stalled" || state === "mute",
});

type Way = { hold(held: Held): void; reset(): void };

function openWay(app: Socket, socketPath: string, onGone: (way: Way) => void): Way {
  const database = net.connect(socketPath);
  const requests = oneWay(app, database);
  const answers = oneWay(database, app);
  const way: Way = {
    hold(held) {
      requests.hold(held.requests);
      answers.hold(held.answers);
    },
    reset() {
      app.resetAndDestroy();
      database.destroy();
      onGone(way);
    },
  };
  let open = 2;
  for (const socket of [app, database]) {
    socket.on("close", () => {
      open -= 1;
      if (open === 0) onGone(way);
    });
  }
  return way;
}

/** Forwards the data of one direction, including its end, unless it is held back. */
function oneWay(from: Socket, to: Socket): { hold(isHeld: boolean): void } {
  let isHeld = false;
  let isGone = false;
  from.on("data", (bytes) => void to.write(bytes));
  // The close event that follows an error is handled.
  from.on("error", () => {});
  from.on("end", () => void to.end());
  from.on("close", () => {
    isGone = true;
    if (!isHeld) to.destroy();
  });
  return {
    hold(held) {
      isHeld = held;
      if (isHeld) from.pause();
      else from.resume();
      if (!isHeld && isGone) to.destroy();
    },
  };
}
