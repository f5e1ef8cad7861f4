import { once } from "node:events";
import { createServer } from "node:http";
import { connect, type AddressInfo, type Socket } from "node:net";

/** A proxy that allows CONNECT, and leads to one server whatever host it is asked for. */
export type ConnectProxy = {
  address: string;
  /** Hosts that it was asked for: "slack.com:443". */
  targets: string[];
  close(): void;
};

/** @param port of the server on this machine */
export async function startConnectProxy(port: number): Promise<ConnectProxy> {
  const targets: string[] = [];
  const sockets = new Set<Socket>();
  const proxy = createServer((_request, response) => response.writeHead(400).end());
  proxy.on("connection", (socket: Socket) => sockets.add(socket));
  proxy.on("connect", ({ url = "" }, socket: Socket) => {
    targets.push(url);
    socket.on("error", () => {});
    const onward = connect(port, "127.0.0.1", () => {
      socket.write("HTTP/1.1 200 Connection established\r\n\r\n");
      onward.pipe(socket).pipe(onward);
    });
    onward.on("error", () => socket.destroy());
  });
  proxy.listen(0, "127.0.0.1");
  await once(proxy, "listening");
  return {
    address: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`,
    targets,
    close() {
      for (const socket of sockets) socket.destroy();
      proxy.close();
    },
  };
}
