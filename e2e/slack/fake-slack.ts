import { createHash } from "node:crypto";
import { createServer, type RequestListener, type ServerResponse } from "node:http";
import { createServer as createTlsServer } from "node:https";
import type { AddressInfo, Socket } from "node:net";

/** A call of Slack's Web API. */
export type ApiCall = { method: string; token: string; body: Record<string, unknown> };

/** Answers one call; the default answer is sent if it returns false. */
type Answering = (call: ApiCall, response: ServerResponse) => boolean | void;

/** A socket of Socket Mode, from Slack's end. */
export type FakeSocket = {
  /** What we sent, parsed. */
  received: unknown[];
  isOpen: boolean;
  /** Sends a value as JSON, or text as it is. */
  send(message: object | string): void;
  /** Sends raw bytes, framed or not. */
  raw(bytes: Buffer): void;
  ping(): void;
  /** Ends the connection without a word. */
  drop(): void;
};

/** Slack's Web API and its sockets on this machine. */
export type FakeSlack = {
  /** Of the API. */
  url: string;
  port: number;
  calls: ApiCall[];
  sockets: FakeSocket[];
  /** Replaces the answers; null: Slack's usual ones. */
  answer: Answering | null;
  /** Called for each new socket; null: it is greeted. */
  greet: ((socket: FakeSocket) => void) | null;
  /** Calls of one method. */
  callsOf(method: string): Record<string, unknown>[];
  close(): Promise<void>;
};

/** The workspace of the bots whose token starts with `xoxb-t1`; of all others, T2. */
export const TEAM = "T1";
export const BOT_USER = "UBOT";

/**
 * @param given.certificate serves it by TLS, as slack.com
 * @param given.host of the addresses of its sockets, with a port; omitted: its own
 */
export async function startFakeSlack({
  certificate,
  host,
}: { certificate?: { key: string; cert: string }; host?: string } = {}): Promise<FakeSlack> {
  let posted = 0;
  const scheme = certificate === undefined ? "ws" : "wss";
  const answerTo: RequestListener = (request, response) => {
    const pieces: Buffer[] = [];
    request.on("data", (piece: Buffer) => pieces.push(piece));
    request.on("end", () => {
      const call = {
        method: (request.url ?? "").replace("/api/", ""),
        token: (request.headers.authorization ?? "").replace("Bearer ", ""),
        body: JSON.parse(Buffer.concat(pieces).toString() || "{}") as Record<string, unknown>,
      };
      slack.calls.push(call);
      response.setHeader("content-type", "application/json");
      if (slack.answer?.(call, response) !== false && slack.answer !== null) return;
      response.end(JSON.stringify(usualAnswer(call)));
    });
  };
  const server =
    certificate === undefined ? createServer(answerTo) : createTlsServer(certificate, answerTo);
  function usualAnswer({ method, token, body }: ApiCall): object {
    if (method === "apps.connections.open")
      return {
        ok: true,
        url: `${scheme}://${host ?? `127.0.0.1:${port()}`}/link/?ticket=${slack.sockets.length}`,
      };
    if (method === "auth.test")
      return { ok: true, team_id: token.startsWith("xoxb-t1") ? TEAM : "T2", user_id: BOT_USER };
    posted += 1;
    const ts = body["ts"] ?? `1700000000.${String(posted).padStart(6, "0")}`;
    return { ok: true, ts, channel: body["channel"] };
  }
  server.on("upgrade", (request, stream: Socket) => {
    const key = String(request.headers["sec-websocket-key"]);
    const accept = createHash("sha1")
      .update(`${key}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`)
      .digest("base64");
    stream.write(
      `HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: ${accept}\r\n\r\n`,
    );
    const socket: FakeSocket = {
      received: [],
      isOpen: true,
      send: (message) =>
        socket.raw(frame(1, typeof message === "string" ? message : JSON.stringify(message))),
      raw: (bytes) => void (socket.isOpen && stream.write(bytes)),
      ping: () => socket.raw(frame(9, "")),
      drop: () => void stream.destroy(),
    };
    stream.on("error", () => {});
    stream.on("end", () => stream.end());
    stream.on("close", () => (socket.isOpen = false));
    readFrames(stream, (text) => socket.received.push(JSON.parse(text)));
    slack.sockets.push(socket);
    if (slack.greet === null) socket.send({ type: "hello", num_connections: 1 });
    else slack.greet(socket);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const port = () => (server.address() as AddressInfo).port;
  const slack: FakeSlack = {
    url: `http://${host ?? `127.0.0.1:${port()}`}/api`,
    port: port(),
    calls: [],
    sockets: [],
    answer: null,
    greet: null,
    callsOf: (method) => slack.calls.flatMap((one) => (one.method === method ? [one.body] : [])),
    close: () =>
      new Promise((resolve) => {
        for (const socket of slack.sockets) socket.drop();
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
  return slack;
}

/** A frame from the server. */
export function frame(opcode: number, text: string): Buffer {
  const payload = Buffer.from(text);
  return Buffer.concat([frameHead(opcode, payload.length), payload]);
}

/** Its head alone, to announce more than follows. */
export function frameHead(opcode: number, length: number): Buffer {
  const first = 0x80 | opcode;
  if (length < 126) return Buffer.from([first, length]);
  const head = Buffer.alloc(10);
  head[0] = first;
  head[1] = 127;
  head.writeBigUInt64BE(BigInt(length), 2);
  return head;
}

/** Reads the short text frames of a client, which are masked. */
function readFrames(stream: Socket, onText: (text: string) => void): void {
  let bytes = Buffer.alloc(0);
  stream.on("data", (piece: Buffer) => {
    bytes = Buffer.concat([bytes, piece]);
    for (;;) {
      if (bytes.length < 2) return;
      const short = (bytes[1] ?? 0) & 0x7f;
      const start = short === 126 ? 4 : 2;
      if (bytes.length < start + 4) return;
      const length = short === 126 ? bytes.readUInt16BE(2) : short;
      if (bytes.length < start + 4 + length) return;
      const opcode = (bytes[0] ?? 0) & 0x0f;
      const mask = bytes.subarray(start, start + 4);
      const payload = Buffer.from(
        bytes.subarray(start + 4, start + 4 + length).map((byte, at) => byte ^ (mask[at % 4] ?? 0)),
      );
      bytes = bytes.subarray(start + 4 + length);
      if (opcode === 1) onText(payload.toString());
    }
  });
}

/** An envelope with links in a message. */
export function linksEnvelope(given: {
  id: string;
  event?: string;
  team?: string;
  user?: string;
  channel: string;
  urls: readonly string[];
  composer?: boolean;
}): object {
  const { id, event = id, team = TEAM, user = "U1", channel, urls, composer = false } = given;
  return {
    envelope_id: id,
    type: "events_api",
    accepts_response_payload: false,
    payload: {
      type: "event_callback",
      team_id: team,
      api_app_id: "A1",
      event_id: event,
      event: {
        type: "link_shared",
        user,
        channel: composer ? "COMPOSER" : channel,
        message_ts: composer ? "U1-909b5454" : "1700000001.000100",
        unfurl_id: composer ? "U1-909b5454" : "C1.1700000001.000100.abc",
        source: composer ? "composer" : "conversations_history",
        links: urls.map((url) => ({ url, domain: "localhost" })),
      },
    },
  };
}

/** An envelope with a press of a message's button. */
export function pressEnvelope(given: {
  id: string;
  value: string;
  user?: string;
  team?: string;
  channel: string;
}): object {
  const { id, value, user = "U1", team = TEAM, channel } = given;
  return {
    envelope_id: id,
    type: "interactive",
    accepts_response_payload: true,
    payload: {
      type: "block_actions",
      user: { id: user, username: "ana", name: "ana", team_id: team },
      team: { id: team, domain: "plumbline-cs" },
      channel: { id: channel, name: "alerts" },
      container: {
        type: "message_attachment",
        message_ts: "1700000000.000001",
        channel_id: channel,
      },
      response_url: "https://hooks.slack.com/actions/x",
      actions: [{ action_id: "on_it", block_id: "b", type: "button", value, action_ts: "1" }],
    },
  };
}
