import { Readable } from "node:stream";
import MailComposer from "nodemailer/lib/mail-composer";
import SMTPConnection from "nodemailer/lib/smtp-connection";
import type { Clock } from "@/lib/server/clock";
import type { Log } from "@/lib/server/log";
import { isLoopback } from "@/lib/server/upstream/proxy";
import { within } from "@/lib/server/waiting";

/** A mail server as specified by `SMTP_URL`. */
export type MailServer = {
  host: string;
  port: number;
  /** TLS from the first byte; otherwise STARTTLS. */
  isSecure: boolean;
  /** Refuses to send if the server offers no TLS, except on this machine. */
  needsTls: boolean;
  /** Null: none required. Never sent without TLS, except to this machine. */
  credentials: { user: string; password: string } | null;
};

/** A mail to one address, or to several that see each other. */
export type Mail = {
  to: string | readonly string[];
  subject: string;
  text: string;
  html: string;
  /** Threading: ids as in RFC 5322, without brackets. */
  thread?: { id: string; firstId: string | null };
  /** Called with the addresses that the mail server refused while it took the mail for others. */
  onRefused?: (addresses: readonly string[]) => void;
};

/**
 * Result of sending a mail. `accepted`: the mail server took it, which doesn't guarantee delivery. `failed`: it
 * wasn't sent. `unknown`: the server went silent while receiving it.
 */
export type MailOutcome = "accepted" | "failed" | "unknown";

/** Sends one mail; never throws. */
export type Mailer = { send(mail: Mail): Promise<MailOutcome> };

/** Total timeout for one mail, since a user may be waiting for it on a page. */
export const MAIL_MS = 7_000;

/** @param given.from sender of mails */
export function createMailer({
  clock,
  log,
  server,
  from,
}: {
  clock: Clock;
  log: Log;
  server: MailServer;
  from: { name: string; address: string };
}): Mailer {
  return {
    async send(mail) {
      const connection = new SMTPConnection({
        host: server.host,
        port: server.port,
        secure: server.isSecure,
        requireTLS: (server.needsTls || server.credentials !== null) && !isLoopback(server.host),
        // For sockets that are no longer awaited.
        connectionTimeout: MAIL_MS,
        greetingTimeout: MAIL_MS,
        socketTimeout: MAIL_MS,
        dnsTimeout: MAIL_MS,
        logger: false,
      });
      let isSent = false;
      try {
        const work = deliver(connection, {
          credentials: server.credentials,
          envelope: { from: from.address, to: [mail.to].flat() },
          content: await compose(mail, from, clock.nowMs()),
          onSent: () => (isSent = true),
        });
        work.catch(() => {});
        const refused = await within(clock, MAIL_MS, work, () => {
          throw Object.assign(new Error("no answer in time"), { code: "ETIMEDOUT" });
        });
        log.info({ event: "mail_accepted" }, "the mail server accepted a message");
        if (refused.length > 0) {
          const facts = { event: "mail_refused", refused: refused.length };
          log.warn(facts, "the mail server refused some of a message's addresses");
          mail.onRefused?.(refused);
        }
        return "accepted";
      } catch (error) {
        const facts = factsOf(error);
        const outcome = isSent && facts.response === undefined ? "unknown" : "failed";
        // The server's reply may repeat content, so none of it is logged.
        log.warn({ event: "mail_not_sent", outcome, ...facts }, sentenceOf(facts));
        return outcome;
      } finally {
        connection.close();
      }
    },
  };
}

async function compose(
  { to, subject, text, html, thread }: Mail,
  from: { name: string; address: string },
  nowMs: number,
): Promise<Buffer> {
  const composer = new MailComposer({
    from,
    // As an object, each is a single address, whatever it contains.
    to: [to].flat().map((address) => ({ name: "", address })),
    subject,
    text,
    html,
    date: new Date(nowMs),
    ...(thread && { messageId: `<${thread.id}>` }),
    ...(thread?.firstId != null && {
      inReplyTo: `<${thread.firstId}>`,
      references: `<${thread.firstId}>`,
    }),
    headers: { "Auto-Submitted": "auto-generated" },
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  return composer.compile().build();
}

/**
 * @param given.onSent called when sending the content starts: from then on the server may have taken it
 * @returns the addresses that it refused; not all of them
 */
function deliver(
  connection: SMTPConnection,
  given: {
    credentials: MailServer["credentials"];
    envelope: { from: string; to: string[] };
    content: Buffer;
    onSent: () => void;
  },
): Promise<readonly string[]> {
  const { credentials, envelope, content, onSent } = given;
  return new Promise((resolve, reject) => {
    connection.on("error", reject);
    connection.once("end", () =>
      reject(Object.assign(new Error("the connection ended"), { code: "ECONNECTION" })),
    );
    const send = () => {
      // Read once the server is ready for it.
      const stream = Readable.from(
        (function* () {
          onSent();
          yield content;
        })(),
      );
      connection.send(envelope, stream, (error, info) => {
        if (error !== null) {
          reject(error);
          return;
        }
        resolve(info?.rejected ?? []);
        connection.quit();
      });
    };
    connection.connect((error) => {
      if (error) {
        reject(error);
      } else if (credentials === null) {
        send();
      } else {
        const { user, password } = credentials;
        connection.login({ credentials: { user, pass: password } }, (refused) =>
          refused === null ? send() : reject(refused),
        );
      }
    });
  });
}

/** `response`: three-digit code of a rejecting reply; `step`: the command it replied to. */
function factsOf(error: unknown): { code?: string; step?: string; response?: number } {
  if (typeof error !== "object" || error === null) return {};
  const facts = error as { code?: unknown; command?: unknown; responseCode?: unknown };
  return {
    ...(typeof facts.code === "string" && { code: facts.code }),
    ...(typeof facts.command === "string" && { step: facts.command }),
    ...(typeof facts.responseCode === "number" && { response: facts.responseCode }),
  };
}

/** The reason in our wording, where it says more than the code. */
function sentenceOf({ code }: ReturnType<typeof factsOf>): string {
  return code === "ETLS"
    ? "a mail was not sent: the mail server offers no TLS, or it failed. Use one that does, smtps:// in SMTP_URL, or MAIL_WITHOUT_TLS=allow, which sends links that set passwords in clear"
    : "a mail was not sent";
}
