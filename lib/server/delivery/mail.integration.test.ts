import { createServer, type Server, type Socket } from "node:net";
import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { afterEach, expect, test } from "vitest";
import { SMTPServer, type SMTPServerOptions } from "smtp-server";
import { createLog } from "@/lib/server/log";
import { createManualClock } from "@/lib/server/manual-clock";
import { createMailer, MAIL_MS, type MailServer } from "./mail";

const SECRET = "kQ0-a-secret-that-is-only-in-the-mail";
const MAIL = {
  to: "harriet@example.com",
  subject: "Choose your password",
  text: `Open this link: https://plumbline.example/signin/password/${SECRET}\n.\nend`,
  html: `<a href="https://plumbline.example/signin/password/${SECRET}">Choose</a>`,
};

const ends: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0)) await end();
});

/** A mailer for a server on this machine, with its log. */
function mailerTo(port: number, more: Partial<MailServer> = {}) {
  const lines: string[] = [];
  const clock = createManualClock(Date.parse("2026-11-19T14:32:07Z"));
  const mailer = createMailer({
    clock,
    log: createLog("info", { write: (line) => void lines.push(line) }),
    server: {
      host: "127.0.0.1",
      port,
      isSecure: false,
      needsTls: true,
      credentials: null,
      ...more,
    },
    from: { name: "Plumbline, watching", address: "plumbline@example.com" },
  });
  return { mailer, clock, log: () => lines.join("") };
}

type Taken = { from: string; to: string[]; content: string };

/** A real mail server. */
async function smtp(options: SMTPServerOptions = {}) {
  const taken: Taken[] = [];
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ["STARTTLS"],
    onData(stream, { envelope }, done) {
      const parts: Buffer[] = [];
      stream.on("data", (part: Buffer) => parts.push(part));
      stream.on("end", () => {
        const { mailFrom, rcptTo } = envelope;
        taken.push({
          from: mailFrom === false ? "" : mailFrom.address,
          to: rcptTo.map(({ address }) => address),
          content: Buffer.concat(parts).toString(),
        });
        done();
      });
    },
    ...options,
  });
  server.on("error", () => {});
  const listening = server.listen(0, "127.0.0.1");
  await once(listening, "listening");
  ends.push(() => new Promise((resolve) => server.close(() => resolve())));
  return { port: (listening.address() as AddressInfo).port, taken };
}

/** A server that responds to each line with the result of `answer`; null: silence. */
async function oddServer(answer: (line: string, socket: Socket) => string | null) {
  const sockets = new Set<Socket>();
  let onReceived = () => {};
  const server: Server = createServer((socket) => {
    sockets.add(socket);
    socket.on("error", () => {});
    const say = (text: string | null) => text !== null && socket.write(`${text}\r\n`);
    say(answer("", socket));
    let rest = "";
    socket.on("data", (bytes) => {
      const lines = (rest + bytes.toString()).split("\r\n");
      rest = lines.pop() ?? "";
      for (const line of lines) say(answer(line, socket));
      onReceived();
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  ends.push(async () => {
    for (const socket of sockets) socket.destroy();
    server.close();
    await once(server, "close");
  });
  return {
    port: (server.address() as AddressInfo).port,
    /** Resolves once received data satisfies `isThere`. */
    until: (isThere: () => boolean) =>
      new Promise<void>((resolve) => {
        onReceived = () => isThere() && resolve();
        onReceived();
      }),
  };
}

/** Responds like any server up to the content, then with the result of `end`. */
function takingUpTo(end: (socket: Socket) => string | null) {
  let isContent = false;
  return (line: string, socket: Socket) => {
    if (isContent) {
      if (line !== ".") return null;
      isContent = false;
      return end(socket);
    }
    if (line === "") return "220 ready";
    if (line === "DATA") {
      isContent = true;
      return "354 go on";
    }
    return "250 fine";
  };
}

test("delivers a mail unchanged to one address, in both formats", async () => {
  const { port, taken } = await smtp();
  const { mailer, log } = mailerTo(port);
  expect(await mailer.send(MAIL)).toBe("accepted");
  expect(taken).toHaveLength(1);
  const [mail] = taken as [Taken];
  expect(mail).toMatchObject({ from: "plumbline@example.com", to: ["harriet@example.com"] });
  const headers = mail.content.slice(0, mail.content.indexOf("\r\n\r\n"));
  expect(headers).toContain("Subject: Choose your password");
  expect(headers).toMatch(/^From: "?Plumbline, watching"? <plumbline@example\.com>$/m);
  expect(headers).toContain("Date: Thu, 19 Nov 2026 14:32:07 +0000");
  expect(headers).toContain("Auto-Submitted: auto-generated");
  const unfolded = mail.content.replaceAll("=\r\n", "");
  expect(unfolded).toContain(`Open this link: https://plumbline.example/signin/password/${SECRET}`);
  expect(unfolded).toContain("text/html");
  expect(log()).not.toContain(SECRET);
});

test.each([
  "a@example.com\r\nBcc: b@example.com",
  "a@example.com, b@example.com",
  "a@example.com>\r\nRCPT TO:<b@example.com",
])("reaches only one recipient with an address that looks like several: %j", async (to) => {
  const { port, taken } = await smtp();
  const { mailer } = mailerTo(port);
  await mailer.send({ ...MAIL, to });
  for (const mail of taken) {
    expect(mail.to).toHaveLength(1);
    expect(mail.content).not.toMatch(/^Bcc:/m);
    expect(mail.to).not.toContain("b@example.com");
  }
});

test("signs in with credentials, fails with a wrong password, and logs neither", async () => {
  const { port, taken } = await smtp({
    authOptional: false,
    onAuth({ username, password }, _session, done) {
      if (username === "plumbline" && password === "p@ss/word") done(null, { user: username });
      else done(new Error(`no: ${password}`));
    },
  });
  const right = mailerTo(port, { credentials: { user: "plumbline", password: "p@ss/word" } });
  expect(await right.mailer.send(MAIL)).toBe("accepted");
  const wrong = mailerTo(port, { credentials: { user: "plumbline", password: "not-that-one" } });
  expect(await wrong.mailer.send(MAIL)).toBe("failed");
  expect(taken).toHaveLength(1);
  expect(JSON.parse(wrong.log())).toMatchObject({
    event: "mail_not_sent",
    code: "EAUTH",
    response: 535,
  });
  expect(right.log() + wrong.log()).not.toMatch(/p@ss|not-that-one/);
});

test("sends a password without TLS only to this machine", async () => {
  const { port } = await smtp();
  const credentials = { user: "plumbline", password: "p@ss/word" };
  // The same server under a name that isn't recognised as this machine.
  const { mailer, log } = mailerTo(port, { host: "0.0.0.0", credentials });
  expect(await mailer.send(MAIL)).toBe("failed");
  expect(log()).toContain("ETLS");
});

test("sends without TLS only to this machine unless allowed, and logs why", async () => {
  const { port, taken } = await smtp();
  const elsewhere = mailerTo(port, { host: "0.0.0.0" });
  expect(await elsewhere.mailer.send(MAIL)).toBe("failed");
  expect(taken).toEqual([]);
  expect(JSON.parse(elsewhere.log())).toMatchObject({
    event: "mail_not_sent",
    code: "ETLS",
    msg: expect.stringMatching(/offers no TLS.* MAIL_WITHOUT_TLS=allow/) as string,
  });
  const allowed = mailerTo(port, { host: "0.0.0.0", needsTls: false });
  expect(await allowed.mailer.send(MAIL)).toBe("accepted");
  expect(await mailerTo(port).mailer.send(MAIL)).toBe("accepted");
  expect(taken).toHaveLength(2);
});

test("fails with an untrusted certificate", async () => {
  const { port, taken } = await smtp({ disabledCommands: [] });
  const { mailer } = mailerTo(port);
  expect(await mailer.send(MAIL)).toBe("failed");
  expect(taken).toEqual([]);
});

test("fails when the server rejects the address", async () => {
  const { port } = await smtp({
    onRcptTo: (_address, _session, done) => done(new Error("no mailbox of that name")),
  });
  expect(await mailerTo(port).mailer.send(MAIL)).toBe("failed");
});

test("reports the addresses that the server refused while it took the mail for others", async () => {
  const { port, taken } = await smtp({
    onRcptTo: ({ address }, _session, done) =>
      done(address.startsWith("harriet") ? null : new Error("try again later")),
  });
  const to = ["harriet@example.com", "ida@example.com", "jo@example.com"];
  let refused: readonly string[] = [];
  const { mailer, log } = mailerTo(port);
  const onRefused = (addresses: readonly string[]) => (refused = addresses);
  expect(await mailer.send({ ...MAIL, to, onRefused })).toBe("accepted");
  expect(taken.map((mail) => mail.to)).toEqual([["harriet@example.com"]]);
  expect(refused).toEqual(["ida@example.com", "jo@example.com"]);
  expect(log()).toContain('"event":"mail_refused","refused":2');
  expect(log()).not.toContain("@example.com");
});

test("fails when the server rejects the content, without logging its reply", async () => {
  const { port } = await oddServer(takingUpTo(() => `550 no links such as ${SECRET}`));
  const { mailer, log } = mailerTo(port);
  expect(await mailer.send(MAIL)).toBe("failed");
  expect(JSON.parse(log())).toMatchObject({ outcome: "failed", code: "EMESSAGE", response: 550 });
  expect(log()).not.toContain(SECRET);
});

test("is unknown when the server disconnects after receiving the content", async () => {
  const { port } = await oddServer(
    takingUpTo((socket) => {
      socket.destroy();
      return null;
    }),
  );
  expect(await mailerTo(port).mailer.send(MAIL)).toBe("unknown");
});

test("fails without a listener or a mail server", async () => {
  const { port } = await smtp();
  for (const end of ends.splice(0)) await end();
  expect(await mailerTo(port).mailer.send(MAIL)).toBe("failed");
  const { port: odd } = await oddServer(() => "HTTP/1.1 400 Bad Request");
  expect(await mailerTo(odd).mailer.send(MAIL)).toBe("failed");
});

test("times out on a silent server like on any other", async () => {
  const greeted: string[] = [];
  const silent = await oddServer((line) => {
    greeted.push(line);
    return line === "" ? "220 ready" : null;
  });
  const first = mailerTo(silent.port);
  const failing = first.mailer.send(MAIL);
  await silent.until(() => greeted.length > 1);
  await first.clock.advance(MAIL_MS);
  expect(await failing).toBe("failed");

  let isTaken = false;
  const taking = await oddServer(
    takingUpTo(() => {
      isTaken = true;
      return null;
    }),
  );
  const second = mailerTo(taking.port);
  const open = second.mailer.send(MAIL);
  await taking.until(() => isTaken);
  await second.clock.advance(MAIL_MS);
  expect(await open).toBe("unknown");
  expect(second.log()).not.toContain(SECRET);
});
