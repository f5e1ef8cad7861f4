import { addressName } from "./client-address.mjs";

/** Maximum number of sockets in total: a thousand screens with a few each. */
const MAX_CONNECTIONS = 4096;
/** Maximum number of sockets of one client (see `addressName`): an office behind one router. */
const MAX_PER_CLIENT = 512;

/**
 * Limits the sockets of clients, and closes those that request a protocol upgrade, which isn't
 * supported.
 * @param {import("node:http").Server} server
 * @param {{ isProxied: boolean, takesUpgrades: boolean, mostOfOne?: number }} options `isProxied`:
 *   every socket is the proxy's, and only the sum counts; `takesUpgrades`: other code handles them,
 *   as in development
 * @param {(limit: "connections" | "connections_per_address", address: string) => void} refused
 *   called for each socket over a limit, with the client's name
 */
export function limitConnections(
  server,
  { isProxied, takesUpgrades, mostOfOne = MAX_PER_CLIENT },
  refused,
) {
  server.maxConnections = MAX_CONNECTIONS;
  server.on("drop", (dropped) =>
    refused("connections", addressName(dropped?.remoteAddress ?? "") ?? ""),
  );
  /** @type {Map<string, number>} */
  const open = new Map();
  server.on("connection", (socket) => {
    const address = isProxied ? null : addressName(socket.remoteAddress ?? "");
    if (address === null) return;
    const count = (open.get(address) ?? 0) + 1;
    open.set(address, count);
    socket.once("close", () => {
      const left = (open.get(address) ?? 1) - 1;
      if (left === 0) open.delete(address);
      else open.set(address, left);
    });
    if (count <= mostOfOne) return;
    refused("connections_per_address", address);
    socket.destroy();
  });
  // Without listeners Node would leave these sockets open, without a deadline.
  if (!takesUpgrades) server.on("upgrade", (_request, socket) => socket.destroy());
  server.on("connect", (_request, socket) => socket.destroy());
}
