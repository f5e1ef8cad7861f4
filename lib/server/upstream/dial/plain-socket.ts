import { subscribe, unsubscribe } from "node:diagnostics_channel";
import type { LookupFunction } from "node:net";
import type { Duplex } from "node:stream";
import { WebSocket, type Dispatcher } from "undici";
import { createDispatcher, forwarding } from "@/lib/server/upstream/http";
import { proxyFor, type Proxies } from "@/lib/server/upstream/proxy";

/** Limits against a misbehaving peer. Lower in tests. */
export type SocketLimits = {
  /** From the call to the end of the handshake, milliseconds. */
  openMs: number;
  /** How long the peer may send nothing, not even a ping, milliseconds. */
  silentMs: number;
  /** Of one message, decompressed. */
  messageBytes: number;
};

/**
 * Why a connection ended. `not_opened`: there was none; `closed`: either side closed it, or it broke; `silent`: see
 * `SocketLimits`.
 */
export type SocketEnd = "not_opened" | "closed" | "silent";

export type Socket = {
  /** Sends a text message; does nothing once the connection has ended. */
  send(text: string): void;
  /** Ends the connection; does nothing once it has ended. */
  close(): void;
};

export type SocketListener = {
  /** A text message. Binary ones are ignored. */
  onText: (text: string) => void;
  /** Called once, at last. */
  onEnd: (why: SocketEnd) => void;
};

/** Published by undici, which answers pings without an event. */
const PING = "undici:websocket:ping";

/**
 * Opens a WebSocket to a `ws:` or `wss:` address, through the applicable proxy. Its deadlines are in real time rather
 * than on the injected clock, because they guard sockets.
 * @param options.lookup see `createHttp`
 */
export function openPlainSocket(
  url: URL,
  { onText, onEnd }: SocketListener,
  { limits, proxies, lookup }: { limits: SocketLimits; proxies: Proxies; lookup: LookupFunction },
): Socket {
  const dispatcher = createDispatcher(
    { connectMs: limits.openMs },
    proxyFor(httpUrl(url), proxies),
    { lookup },
  );
  // `ProxyAgent` has no option for it.
  Object.defineProperty(dispatcher, "webSocketOptions", {
    value: { maxPayloadSize: limits.messageBytes },
  });
  let stream: Duplex | null = null;
  const keepStream = keepingStream((given) => (stream = given));
  const socket = new WebSocket(url, { dispatcher: dispatcher.compose(keepStream) });
  let isOpen = false;
  let isOver = false;
  let timer = setTimeout(() => end("not_opened"), limits.openMs);

  function end(why: SocketEnd): void {
    if (isOver) return;
    isOver = true;
    clearTimeout(timer);
    unsubscribe(PING, onPing);
    // Waits for no answer from a peer that may never send one.
    stream?.destroy();
    dispatcher.destroy().catch(() => {});
    onEnd(why);
  }
  function restartTimer(): void {
    clearTimeout(timer);
    if (!isOver) timer = setTimeout(() => end("silent"), limits.silentMs);
  }
  function onPing(message: unknown): void {
    if ((message as { websocket?: unknown }).websocket === socket) restartTimer();
  }

  subscribe(PING, onPing);
  socket.addEventListener("open", () => {
    isOpen = true;
    restartTimer();
  });
  socket.addEventListener("message", ({ data }: { data: unknown }) => {
    if (isOver) return;
    restartTimer();
    if (typeof data === "string") onText(data);
  });
  socket.addEventListener("error", () => end(isOpen ? "closed" : "not_opened"));
  socket.addEventListener("close", () => end(isOpen ? "closed" : "not_opened"));
  return {
    send(text) {
      if (!isOver && isOpen) socket.send(text);
    },
    close: () => end(isOpen ? "closed" : "not_opened"),
  };
}

/** The dispatcher lets go of the connection once it is a WebSocket. */
function keepingStream(keep: (stream: Duplex) => void): Dispatcher.DispatcherComposeInterceptor {
  return (dispatch) => (options, handler) =>
    dispatch(options, {
      ...forwarding(handler),
      onRequestUpgrade(controller, status, headers, stream) {
        keep(stream);
        handler.onRequestUpgrade?.(controller, status, headers, stream);
      },
    });
}

/** The address by which proxies and rules for connecting know a `ws:` or `wss:` address. */
export function httpUrl(url: URL): URL {
  return new URL(url.href.replace(/^ws/, "http"));
}
