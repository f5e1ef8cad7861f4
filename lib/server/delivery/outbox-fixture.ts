import type { Visibility } from "@/lib/domain/delivery/visibility";
import { systemClock, type Clock } from "@/lib/server/clock";
import { createLog } from "@/lib/server/log";
import type { TestDatabase } from "@/lib/server/store/test-database";
import { LOOPBACK } from "@/lib/server/upstream/dial/loopback-fixture";
import { NO_PROXIES } from "@/lib/server/upstream/proxy";
import { createOutbox, type OutboxOptions } from "./outbox";
import { createSendToChannel, type SendToChannel } from "./send-to-channel";
import { createTargetSend } from "./targets";

export const APP_URL = "http://localhost:3000";

/** A company that is seen. */
export const SEEN: Visibility = {
  ageMs: 0,
  rhythmSeconds: 60,
  offsetMs: 0,
  because: null,
  reason: null,
  isPaused: false,
};
/** A company of a source that isn't responding. */
export const UNREACHABLE: Visibility = {
  ...SEEN,
  because: "the source isn’t responding",
  reason: "unreachable",
};

/** Sends to channels on this machine, but no mail. @param given.slackApi replaces Slack's URL */
export function createLocalSendToChannel(given: {
  clock: Pick<Clock, "nowMs">;
  slackApi?: string;
}): SendToChannel {
  return createSendToChannel({
    send: createTargetSend({ allowed: LOOPBACK, clock: systemClock, proxies: NO_PROXIES }),
    mailer: null,
    appUrl: APP_URL,
    ...given,
  });
}

type Given = Pick<OutboxOptions, "database" | "clock" | "companies" | "send">;

/** An outbox that tells everyone, without a wait, of companies that are seen. */
export function createTestOutbox(given: Given & Partial<OutboxOptions>) {
  return createOutbox({
    random: () => 0.5,
    log: createLog("silent"),
    visibilityOf: () => SEEN,
    mayRead: () => true,
    mayHaveAlerts: () => true,
    appUrl: APP_URL,
    timeZone: "UTC",
    waitMs: 0,
    ...given,
  });
}

/** Reading the company "broken" fails, as if its rows were damaged. */
export const damage = ({ asOwner }: Pick<TestDatabase, "asOwner">) =>
  asOwner(`
    create function intact(company text) returns boolean language plpgsql as $$
      begin if company = 'broken' then raise sqlstate '58030' using message = 'invalid page'; end if; return true; end $$;
    create policy intact on gaps using (intact(company)) with check (true);
    alter table gaps enable row level security`);
