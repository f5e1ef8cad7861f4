import { createHmac } from "node:crypto";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { createServer as createTcpServer, type AddressInfo } from "node:net";
import { SMTPServer } from "smtp-server";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { withContent, type Message } from "@/lib/domain/delivery/message";
import type { MessageContent } from "@/lib/domain/delivery/message-content";
import { systemClock } from "@/lib/server/clock";
import { createLog } from "@/lib/server/log";
import { NO_PROXIES } from "@/lib/server/upstream/proxy";
import { createMailer } from "./mail";
import { createSendToChannel } from "./send-to-channel";
import { newWebhookSecret } from "./webhook";
import { addressRange } from "@/lib/server/upstream/dial/allowed-targets";
import { LOOPBACK } from "@/lib/server/upstream/dial/loopback-fixture";
import { createTargetSend } from "./targets";

type ReceivedRequest = { path: string; headers: IncomingMessage["headers"]; body: string };

const MESSAGE: Message = {
  id: "msg_1",
  type: "incident.opened",
  at: "2026-11-20T10:00:00.000Z",
  company: { slug: "northgate", name: "Northgate <!channel> & Sons" },
  incident: {
    id: 7,
    partner_name: "Procore\r\nBcc: evil@example.com",
    state: "open",
    began_at: "2026-11-20T09:50:00.000Z",
    opened_at: "2026-11-20T10:00:00.000Z",
    ended_at: null,
    ending: null,
    verdict: "stale",
    worst_verdict: "stale",
    flaps: 0,
    not_observed_since: null,
    acknowledged: null,
    owner: null,
    members: [],
  },
  url: "http://localhost:3000/northgate/incidents/7",
  text: "Procore at Northgate <!channel> & Sons is stale: *drawings*.",
};
const EVIL = "*b* _i_ ~s~ `c` @here <!channel> [a](https://evil.example) <img src=x> &amp;";
const CONTENT: MessageContent = {
  title: `Procore at ${EVIL} is stale`,
  state: "stale",
  badge: "Stale",
  news: [],
  lead: ["Since 09:50 UTC.", "Next attempt 10:20."],
  items: [
    { name: EVIL, state: "stale", how: "Stale, 2 h 00 m overdue", facts: "Data is from 07:00." },
  ],
  more: "And 2 more: 2 late.",
  fields: [{ label: "Owner", value: EVIL }],
  paragraph: `Your ${EVIL} feed is behind.`,
  written: "Fri 20 Nov 2026, 10:00 UTC",
  open: "Open incident 7",
  foot: [
    {
      text: `Sent to ${EVIL} by the rule “x”.`,
      link: { label: "Change the rule", url: "http://localhost:3000/settings/rules" },
    },
  ],
};
const HOSTILE = withContent(MESSAGE, CONTENT);
type SlackBlock = { elements?: { elements: { text: string }[] }[]; fields?: { text: string }[] };
type SlackBody = {
  text: string;
  thread_ts?: string;
  blocks: SlackBlock[];
  attachments: { blocks: SlackBlock[] }[];
};
/** Texts of the elements of blocks. */
const textsOf = (blocks: readonly SlackBlock[]) =>
  blocks.flatMap(({ elements = [] }) =>
    elements.flatMap((one) => one.elements.map(({ text }) => text)),
  );
const FIRST = { firstId: MESSAGE.id, reference: null };

let server: Server;
let received: ReceivedRequest[] = [];
let answer: (request: ReceivedRequest, response: ServerResponse, index: number) => void = () => {};
let url: string;

beforeAll(async () => {
  server = createServer((request, response) => {
    const pieces: Buffer[] = [];
    request.on("data", (piece: Buffer) => pieces.push(piece));
    request.on("end", () => {
      const one = {
        path: request.url ?? "",
        headers: request.headers,
        body: Buffer.concat(pieces).toString(),
      };
      received.push(one);
      answer(one, response, received.length - 1);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => new Promise((resolve) => server.close(resolve)));
beforeEach(() => {
  received = [];
  answer = (_, response) => response.end("ok");
});
afterEach(() => server.closeAllConnections());

type TargetOptions = Partial<Parameters<typeof createTargetSend>[0]>;
function sender(
  options: TargetOptions = {},
  mailer: Parameters<typeof createSendToChannel>[0]["mailer"] = null,
) {
  return createSendToChannel({
    send: createTargetSend({
      allowed: LOOPBACK,
      clock: systemClock,
      proxies: NO_PROXIES,
      ...options,
    }),
    mailer,
    clock: systemClock,
    appUrl: "http://localhost:3000",
    slackApi: url,
  });
}
const webhook = (to: string, secret = newWebhookSecret()) =>
  ({ kind: "webhook", settings: { url: to, secret } }) as const;

describe("webhook", () => {
  test("receives the message, signed according to Standard Webhooks", async () => {
    const channel = webhook(`${url}/hook`);
    const sent = await sender()(channel, MESSAGE, FIRST);
    expect(sent).toMatchObject({ outcome: "accepted", said: "It answered with status 200." });
    const [one] = received;
    expect(JSON.parse(one?.body ?? "")).toEqual(MESSAGE);
    expect(one?.headers["webhook-id"]).toBe("msg_1");
    const timestamp = String(one?.headers["webhook-timestamp"]);
    const key = Buffer.from(channel.settings.secret.replace("whsec_", ""), "base64");
    const expected = createHmac("sha256", key).update(`msg_1.${timestamp}.${one?.body ?? ""}`);
    expect(one?.headers["webhook-signature"]).toBe(`v1,${expected.digest("base64")}`);
  });

  const answers: [string, (response: ServerResponse) => void, object][] = [
    [
      "500",
      (response) => response.writeHead(500).end("a secret"),
      { outcome: "failed", isFinal: false },
    ],
    ["404", (response) => response.writeHead(404).end(), { outcome: "failed", isFinal: false }],
    ["410", (response) => response.writeHead(410).end(), { outcome: "failed", isFinal: true }],
    ["422", (response) => response.writeHead(422).end(), { outcome: "failed", isFinal: true }],
    [
      "429 with Retry-After",
      (response) => response.writeHead(429, { "retry-after": "120" }).end(),
      { outcome: "failed", isFinal: false, retryAfterMs: 120_000 },
    ],
    [
      "a redirect to a private address",
      (response) => response.writeHead(302, { location: "http://127.0.0.2/" }).end(),
      { outcome: "failed", isFinal: true },
    ],
    [
      "a reset after it was received",
      (response) => response.destroy(),
      { outcome: "unknown", isFinal: false },
    ],
    ["silence", () => {}, { outcome: "unknown", isFinal: false }],
    [
      "an answer without an end",
      (response) => {
        response.writeHead(200);
        for (let index = 0; index < 40; index += 1) response.write("x".repeat(4_096));
      },
      { outcome: "accepted" },
    ],
    [
      "an acceptance whose body never ends",
      (response) => response.writeHead(200).write("x"),
      { outcome: "accepted", said: "It answered with status 200." },
    ],
    [
      "a refusal whose body is cut off",
      (response) => response.writeHead(503, { "content-length": "9" }).write("x"),
      { outcome: "failed", isFinal: false, said: "It answered with status 503." },
    ],
  ];
  test.each(answers)("reports %s in our own wording", async (_, behave, expected) => {
    answer = (__, response) => behave(response);
    const sent = await sender({ limits: { wholeMs: 500, bodyBytes: 65_536 } })(
      webhook(url),
      MESSAGE,
      FIRST,
    );
    expect(sent).toMatchObject(expected);
    expect(sent.said).not.toContain("secret");
    expect(received.length).toBe(1);
  });

  test("disconnects on endless headers, with an unknown outcome", async () => {
    let written = 0;
    const endless = createTcpServer((socket) => {
      socket.on("error", () => {});
      const more = () => {
        while (!socket.destroyed && socket.write(`x-${written}: ${"x".repeat(1_000)}\r\n`))
          written += 1_000;
      };
      socket.once("data", () => {
        socket.write("HTTP/1.1 200 OK\r\n");
        socket.on("drain", more);
        more();
      });
    });
    await new Promise<void>((resolve) => endless.listen(0, "127.0.0.1", resolve));
    const { port } = endless.address() as AddressInfo;
    const sent = await sender()(webhook(`http://127.0.0.1:${port}/`), MESSAGE, FIRST);
    expect(sent).toMatchObject({ outcome: "unknown", isFinal: false });
    expect(written).toBeLessThan(10_000_000);
    await new Promise((resolve) => endless.close(resolve));
  });

  test("can't be reached without a listener", async () => {
    const sent = await sender()(webhook("http://127.0.0.1:1/"), MESSAGE, FIRST);
    expect(sent).toMatchObject({
      outcome: "failed",
      isFinal: false,
      said: "It couldn’t be reached.",
    });
  });
});

describe("private address", () => {
  const port = () => new URL(url).port;
  test.each([
    "127.0.0.1",
    "2130706433",
    "0x7f.1",
    "0177.0.0.1",
    "[::ffff:127.0.0.1]",
    "[::127.0.0.1]",
    "[::1]",
    "localhost",
  ])("is never dialled when written as %s", async (host) => {
    for (const scheme of ["http", "https"]) {
      const channel = webhook(`${scheme}://${host}:${port()}/`);
      const sent = await sender({ allowed: [] })(channel, MESSAGE, FIRST);
      expect(sent).toMatchObject({ outcome: "failed", isFinal: true });
      expect(sent.said).toContain("ALLOWED_TARGETS");
    }
    expect(received).toEqual([]);
  });

  test("is never dialled when a name changes to it between two messages", async () => {
    const answers = [["127.0.0.1"], ["127.0.0.2", "::1"]];
    const resolve = ((
      _name: string,
      _options: object,
      callback: (error: null, all: object[]) => void,
    ) => {
      const all = (answers.shift() ?? []).map((address) => ({
        address,
        family: address.includes(":") ? 6 : 4,
      }));
      callback(null, all);
    }) as unknown as NonNullable<TargetOptions["resolve"]>;
    const only = ["127.0.0.1/32"].flatMap((text) => addressRange(text) ?? []);
    const send = sender({ allowed: only, resolve });
    const channel = webhook(`http://hooks.example:${port()}/`);
    answer = (_, response) => response.setHeader("connection", "close").end();
    expect(await send(channel, MESSAGE, FIRST)).toMatchObject({ outcome: "accepted" });
    const again = await send(channel, MESSAGE, FIRST);
    expect(again).toMatchObject({ outcome: "failed", isFinal: true });
    expect(received.length).toBe(1);
  });

  test("can be allowed without TLS, while public addresses require it", async () => {
    const sent = await sender()(webhook("http://93.184.216.34/"), MESSAGE, FIRST);
    expect(sent).toMatchObject({ outcome: "failed", isFinal: true });
  });
});

describe("Slack", () => {
  const app = { kind: "slack_app", settings: { token: "xoxb-1", channel: "#alerts" } } as const;
  const ok = { ok: true, ts: "1700000000.000100", channel: "C123" };

  test("updates one message as an app, and posts follow-ups in its thread", async () => {
    answer = (_, response) => response.end(JSON.stringify(ok));
    const first = await sender()(app, MESSAGE, FIRST);
    expect(first).toMatchObject({ outcome: "accepted", reference: "C123 1700000000.000100" });
    await sender()(
      app,
      { ...MESSAGE, id: "msg_2", type: "incident.ended" },
      {
        firstId: MESSAGE.id,
        reference: first.reference,
      },
    );
    expect(received.map(({ path }) => path)).toEqual([
      "/chat.postMessage",
      "/chat.update",
      "/chat.postMessage",
    ]);
    const [, update, reply] = received.map(
      ({ body }) => JSON.parse(body) as Record<string, unknown>,
    );
    expect(update).toMatchObject({ channel: "C123", ts: "1700000000.000100" });
    expect(reply).toMatchObject({ channel: "C123", thread_ts: "1700000000.000100" });
    expect(received[0]?.headers.authorization).toBe("Bearer xoxb-1");
  });

  const EDIT = { firstId: MESSAGE.id, reference: "C123 1700000000.000100" };

  test.each([
    ["was deleted", "message_not_found"],
    ["can't be edited any more", "edit_window_closed"],
    ["is another app's", "cant_update_message"],
  ])("posts a new message when the one to edit %s", async (_, error) => {
    answer = ({ path }, response) =>
      response.end(JSON.stringify(path === "/chat.update" ? { ok: false, error } : ok));
    const sent = await sender()(app, { ...MESSAGE, id: "msg_2" }, EDIT);
    expect(sent).toMatchObject({ outcome: "accepted", reference: "C123 1700000000.000100" });
    expect(received.map(({ path }) => path)).toEqual(["/chat.update", "/chat.postMessage"]);
    expect(JSON.parse(received[1]?.body ?? "")).not.toHaveProperty("thread_ts");
  });

  test("posts nothing when the message can't be edited for another reason", async () => {
    answer = (_, response) => response.end(JSON.stringify({ ok: false, error: "cant_update" }));
    const sent = await sender()(app, { ...MESSAGE, id: "msg_2" }, EDIT);
    expect(sent).toMatchObject({ outcome: "failed", said: "Slack answered: cant_update." });
    expect(received.map(({ path }) => path)).toEqual(["/chat.update"]);
  });

  test("edits without a word in the thread when nothing is worth one", async () => {
    answer = (_, response) => response.end(JSON.stringify(ok));
    const sent = await sender()(app, { ...HOSTILE, type: "incident.changed" }, EDIT);
    expect(sent).toMatchObject({ outcome: "accepted" });
    expect(received.map(({ path }) => path)).toEqual(["/chat.update"]);
  });

  test("posts what people did and what got worse to the thread", async () => {
    answer = (_, response) => response.end(JSON.stringify(ok));
    const news = [
      { text: `Ana acknowledged it: “${EVIL}”`, isMinor: false },
      { text: "rfis recovered: data received", isMinor: true },
    ];
    const content = { ...CONTENT, news };
    await sender()(app, { ...HOSTILE, type: "incident.changed", content }, EDIT);
    const reply = JSON.parse(received[1]?.body ?? "") as SlackBody;
    expect(reply.thread_ts).toBe("1700000000.000100");
    expect(textsOf(reply.blocks)).toEqual([`Ana acknowledged it: “${EVIL}”.`]);
  });

  test("shows names exactly as they are, as plain text that mentions, links and formats nothing", async () => {
    answer = (_, response) => response.end(JSON.stringify(ok));
    await sender()({ kind: "slack_webhook", settings: { url } }, HOSTILE, FIRST);
    await sender()(app, HOSTILE, FIRST);
    for (const { body } of received) {
      const { text, blocks, attachments, ...more } = JSON.parse(body) as SlackBody;
      expect(more).toMatchObject({ mrkdwn: false, parse: "none", link_names: false });
      expect(text).toContain("&lt;!channel&gt;");
      expect(text).not.toContain("<!channel>");
      const all = [...blocks, ...(attachments[0]?.blocks ?? [])];
      expect(JSON.stringify(all)).not.toMatch(/mrkdwn|\u2060/);
      expect(textsOf(blocks)).toEqual([CONTENT.title]);
      expect(textsOf(all)).toContain(EVIL);
      const links = JSON.stringify(all).match(/"url":"[^"]*"/g);
      expect(links).toEqual([
        `"url":"${HOSTILE.url}"`,
        '"url":"http://localhost:3000/settings/rules"',
      ]);
    }
  });

  test("lets no name mention, link or format where the text of a webhook is shown as Markdown", async () => {
    const name = "[Reset it](https://evil.example) www.пример.рф # **b** ![i](//evil.example/i)";
    const text = `Procore at ${EVIL} ${name} is stale. Next attempt 10:20.`;
    await sender()({ kind: "slack_webhook", settings: { url } }, { ...HOSTILE, text }, FIRST);
    const { text: shown } = JSON.parse(received[0]?.body ?? "") as SlackBody;
    const [written = "", link] = shown.split("\n");
    expect(link).toBe(HOSTILE.url);
    expect(written).not.toMatch(/@|:\/\/|\]\(|!\[[^\u2060]|\*\*|[*_~`#][^\u2060]|\S\.[^\s\u2060]/);
    // People read the same.
    expect(written.replaceAll("\u2060", "").replaceAll("＠", "@")).toBe(
      text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;"),
    );
  });

  test("splits no character of a long text", async () => {
    answer = (_, response) => response.end(JSON.stringify(ok));
    await sender()(app, { ...MESSAGE, text: "🏗".repeat(5_000) }, FIRST);
    expect(received[0]?.body).not.toMatch(/\\ud[89a-f]/i);
    expect(received[0]?.body.length).toBeLessThan(40_000);
  });

  test.each([
    ["is_archived", true],
    ["invalid_blocks", true],
    ["channel_not_found", false],
    ["not_in_channel", false],
    ["token_revoked", false],
    ["internal_error", false],
    ["new_error", false],
  ])("reports the error code %s", async (error, isFinal) => {
    answer = (_, response) => response.end(JSON.stringify({ ok: false, error }));
    const sent = await sender()(app, MESSAGE, FIRST);
    expect(sent).toMatchObject({ outcome: "failed", isFinal, said: `Slack answered: ${error}.` });
  });

  test("reports a valid but nonsensical response", async () => {
    for (const body of [
      "[]",
      "null",
      '{"ok":"yes"}',
      '{"ok":false,"error":"<script>"}',
      "<html>",
    ]) {
      answer = (_, response) => response.end(body);
      expect(await sender()(app, MESSAGE, FIRST)).toMatchObject({
        outcome: "failed",
        isFinal: false,
        said: "The answer didn’t come from Slack.",
      });
    }
  });
});

const WEB_PAGES = [
  "<!DOCTYPE html><title>Sign in</title>",
  "\n <html><body>Blocked</body></html>",
  "\ufeff<!DOCTYPE html><title>Sign in</title>",
  `${"\r\n".repeat(20)}<html><body>Blocked</body></html>`,
  "<!-- proxy 7 --><html><body>Blocked</body></html>",
  '<?xml version="1.0"?><!DOCTYPE html PUBLIC "-//W3C//DTD XHTML 1.0 Strict//EN"><title>Sign in</title>',
  "<script>location.href = '/signin'</script>",
  `<div>${"x".repeat(70_000)}</div>`,
];

describe.each(["slack_webhook", "teams"] as const)("the hook of %s", (kind) => {
  test.each(WEB_PAGES.map((page) => [page.slice(0, 40), page] as const))(
    "hasn't received what was answered with the web page %j",
    async (_, page) => {
      answer = (__, response) => response.end(page);
      const sent = await sender()({ kind, settings: { url } }, HOSTILE, FIRST);
      expect(sent).toMatchObject({
        outcome: "failed",
        isFinal: false,
        said: "It answered with a web page, so it probably isn’t a webhook.",
      });
    },
  );

  test.each(["ok", "", "1", '{"success":true}', "<result>ok</result>"])(
    "has received what was answered with %j",
    async (body) => {
      answer = (_, response) => response.writeHead(200, { "content-type": "text/html" }).end(body);
      const sent = await sender()({ kind, settings: { url } }, HOSTILE, FIRST);
      expect(sent).toMatchObject({ outcome: "accepted", said: "It answered with status 200." });
    },
  );
});

test("sends Teams a card of text runs, in which nothing formats or links", async () => {
  await sender()({ kind: "teams", settings: { url } }, HOSTILE, FIRST);
  const { attachments } = JSON.parse(received[0]?.body ?? "") as {
    attachments: { content: { body: object[]; actions: { type: string; url: string }[] } }[];
  };
  const { body = [], actions = [] } = attachments[0]?.content ?? {};
  const kinds = JSON.stringify(body).match(/"type":"[A-Za-z]+"/g);
  expect(new Set(kinds)).toEqual(
    new Set(['"type":"RichTextBlock"', '"type":"TextRun"', '"type":"Container"']),
  );
  expect(JSON.stringify(body)).toContain(JSON.stringify(`${EVIL}: `).slice(1, -1));
  expect(actions.map(({ type, url: to }) => [type, to])).toEqual([
    ["Action.OpenUrl", HOSTILE.url],
    ["Action.OpenUrl", "http://localhost:3000/settings/rules"],
  ]);
});

test("threads mails of an incident, and lets no name become a header", async () => {
  const mails: string[] = [];
  const recipients: string[][] = [];
  const smtp = new SMTPServer({
    authOptional: true,
    disabledCommands: ["STARTTLS", "AUTH"],
    onRcptTo: ({ address }, _session, done) =>
      done(address.startsWith("gone") ? new Error("no such mailbox") : null),
    onData(stream, session, done) {
      recipients.push(session.envelope.rcptTo.map(({ address }) => address));
      let text = "";
      stream.on("data", (piece: Buffer) => (text += piece.toString()));
      stream.on("end", () => {
        mails.push(text);
        done();
      });
    },
  });
  await new Promise<void>((resolve) => smtp.listen(0, "127.0.0.1", resolve));
  const { port } = smtp.server.address() as AddressInfo;
  const mailer = createMailer({
    clock: systemClock,
    log: createLog("silent"),
    server: { host: "127.0.0.1", port, isSecure: false, needsTls: true, credentials: null },
    from: { name: "Plumbline", address: "plumbline@example.com" },
  });
  const channel = { kind: "email", settings: { to: ["a@example.com", "b@example.com"] } } as const;
  const send = sender({}, mailer);
  expect(await send(channel, MESSAGE, FIRST)).toMatchObject({ outcome: "accepted" });
  const follows = { firstId: MESSAGE.id, reference: null };
  await send(channel, { ...MESSAGE, id: "msg_2", type: "incident.ended" }, follows);
  const partly = {
    kind: "email",
    settings: { to: ["a@example.com", "gone@example.com"] },
  } as const;
  expect(await send(partly, { ...MESSAGE, id: "msg_3" }, FIRST)).toMatchObject({
    outcome: "accepted",
    said: "The mail server accepted it, but not for gone@example.com.",
  });
  await new Promise<void>((resolve) => smtp.close(() => resolve()));
  expect(recipients).toEqual([
    ["a@example.com", "b@example.com"],
    ["a@example.com", "b@example.com"],
    ["a@example.com"],
  ]);
  expect(mails[0]).toContain("Message-ID: <msg_1@localhost>");
  expect(mails[0]).not.toMatch(/^References:/m);
  expect(mails[1]).toMatch(/^In-Reply-To: <msg_1@localhost>/m);
  expect(mails[1]).toMatch(/^References: <msg_1@localhost>/m);
  for (const mail of mails) expect(mail).not.toMatch(/^Bcc:/im);
  expect(mails[0]).toMatch(/^Subject: Procore Bcc: evil@example.com at Northgate/m);
  expect(mails[0]).toContain("&lt;!channel&gt;");
});
