import type { Clock } from "@/lib/server/clock";
import type { Log } from "@/lib/server/log";
import type { Database } from "@/lib/server/store/database";
import type { DatabaseTime } from "@/lib/server/store/database-time";
import {
  claimRestingSoon,
  releaseRestingSoon,
  type RestingSoon,
} from "@/lib/server/store/tokens/resting-tokens";
import { plainName } from "@/lib/domain/text/plain-name";
import { absoluteTime } from "@/lib/domain/words/format";
import { HOUR_MS } from "@/lib/domain/time/units";
import type { Mail, Mailer } from "./mail";
import { mailPage } from "./mail-page";

const LOOK_EVERY_MS = HOUR_MS;

/** Mails people of the identity provider whose tokens are about to rest because they haven't signed in. */
export type TokenRestNotices = {
  /** Looks every hour until `stop`. */
  start(): void;
  stop(): Promise<void>;
  /** Looks once. After `stop` it leaves the rest to others. Rejects when the database does. */
  look(): Promise<void>;
};

/** Each token is announced by one instance. */
export function createTokenRestNotices({
  database,
  time,
  mailer,
  appUrl,
  clock,
  log,
}: {
  database: Database;
  time: DatabaseTime;
  mailer: Mailer;
  appUrl: string;
  clock: Clock;
  log: Log;
}): TokenRestNotices {
  const stopping = new AbortController();
  let running: Promise<void> = Promise.resolve();

  async function look(): Promise<void> {
    const { judgedMs } = await time.now();
    for (const token of await claimRestingSoon(database, judgedMs)) {
      const isSent =
        !stopping.signal.aborted && (await mailer.send(restMail(token, appUrl))) !== "failed";
      if (!isSent) await releaseRestingSoon(database, token.id);
    }
  }

  async function keepLooking(): Promise<void> {
    while (!stopping.signal.aborted) {
      await look().catch((err: unknown) =>
        log.warn({ event: "token_notices_failed", err }, "tokens about to rest weren't announced"),
      );
      await clock.sleep(LOOK_EVERY_MS, stopping.signal).catch(() => {});
    }
  }

  return {
    look,
    start() {
      running = keepLooking();
    },
    async stop() {
      stopping.abort();
      await running;
    },
  };
}

/** It names no company. */
function restMail({ name: given, restsAt, person }: RestingSoon, appUrl: string): Mail {
  const name = plainName(given);
  const words = {
    subject: `Your API token “${name}” will stop working soon`,
    greeting: `Hello ${plainName(person.name)},`,
    lead: `You haven’t signed in to Plumbline for a while. Sign in to keep your API token “${name}” working.`,
    act: "Sign in",
    url: `${appUrl}/settings/tokens`,
    until: `From ${absoluteTime(restsAt.getTime(), "UTC")} it won’t work until you sign in.`,
    foot: "If you no longer need it, revoke it or ignore this mail.",
  };
  const { subject, greeting, lead, act, url, until, foot } = words;
  return {
    to: person.email,
    subject,
    text: [greeting, lead, url, until, foot].join("\n\n"),
    html: mailPage({ subject, greeting, lead, button: { act, url }, foot: [until, foot] }),
  };
}
