import { randomUUID } from "node:crypto";
import { companyName } from "@/lib/domain/companies/company-name";
import { holds, holdsSomewhere, type Access } from "@/lib/server/auth/access";
import { createCollector } from "@/lib/server/collector/collector";
import { createFleetIncidents } from "@/lib/server/collector/fleet-fold";
import { createFileIndexer } from "@/lib/server/collector/file-index";
import { createDeliverySend } from "@/lib/server/delivery/delivery-send";
import { createHeartbeat, HEARTBEAT_LIMITS } from "./heartbeat";
import { createOutbox } from "@/lib/server/delivery/outbox";
import {
  createHandleEvent,
  type SlackPress,
  type SlackReply,
} from "@/lib/server/delivery/slack/handle-event";
import { createSlackSockets } from "@/lib/server/delivery/slack/slack-sockets";
import { visibilityOf } from "@/lib/domain/delivery/visibility";
import { createTokenRestNotices } from "@/lib/server/delivery/token-rest-notices";
import { deriveKey } from "@/lib/server/keys";
import type { Runtime } from "@/lib/server/running";
import { createDailyBackups } from "@/lib/server/store/backup/daily-backups";
import type { Database } from "@/lib/server/store/database";
import type { Grantee } from "@/lib/server/store/people/grantee";
import { createPlainSend } from "@/lib/server/upstream/plain-send";
import { hostOf } from "@/lib/server/upstream/host-of";
import { restsBecause } from "@/lib/server/upstream/upstream";
import type { Companies } from "./companies";
import { isPastWritten } from "./demo-past";
import type { Messages } from "./messages";
import type { Process } from "./process";

/** See `pressButton`, which this folder may not import. */
export type PressSlackButton = (runtime: Runtime, press: SlackPress) => Promise<SlackReply>;

type Parts = {
  runtime: Runtime;
  background: Database;
  companies: Companies;
  access: Access;
  slack: Pick<Messages, "callSlack" | "openSlackSocket"> & { pressSlackButton: PressSlackButton };
  /** Called after each snapshot of a company. See `createDemoLife`. */
  onDemoSnapshot: (company: string) => void;
};

/**
 * Background jobs that one instance runs for all: polls, the index of schedule files, fleet incidents,
 * deliveries, backups.
 * @returns functions that start them, in two steps: backups and polls first
 */
export function createBackground(
  own: Process,
  parts: Parts,
): { startPolls: () => void; startRest: () => void } {
  const { config, clock, log, metrics, build, begun } = own;
  const { companies, background, runtime } = parts;
  const common = { database: background, clock, random: Math.random, log, disk: runtime.disk };
  const collector = collectorOf(own, parts, common);
  const outbox = outboxOf(own, parts, common);
  const files = createFileIndexer({
    ...common,
    companies: companies.connections,
    pollSeconds: config.pollSeconds,
  });
  const fleet = createFleetIncidents({
    ...common,
    newId: () => randomUUID(),
    pollSeconds: config.pollSeconds,
  });
  const backups =
    config.backupsKept === 0
      ? null
      : createDailyBackups({
          ...common,
          dataDir: config.dataDir,
          kept: config.backupsKept,
          key: deriveKey(own.authSecret, "backups"),
          build,
          onNotMade: (why) => metrics.countBackupNotMade(why),
        });
  const { mailer } = runtime;
  const notices =
    mailer === null
      ? null
      : createTokenRestNotices({
          database: background,
          time: runtime.auth.time,
          mailer,
          appUrl: runtime.appUrl,
          clock,
          log,
        });
  const slack = slackOf(own, parts, common);
  begun.others.push(collector, outbox, slack, files, fleet);
  begun.others.push(...[backups, notices].filter((one) => one !== null));
  return {
    startPolls() {
      backups?.start();
      collector.start();
    },
    startRest() {
      files.start();
      fleet.start();
      outbox.start();
      slack.start();
      notices?.start();
    },
  };
}

type Common = Omit<Parameters<typeof createFileIndexer>[0], "companies" | "pollSeconds">;

function collectorOf(
  { config, clock, log, stopping }: Process,
  { runtime, companies, onDemoSnapshot }: Parts,
  common: Common,
) {
  const { snapshots } = runtime;
  const heartbeat =
    config.heartbeatUrl === null
      ? null
      : {
          everyMs: config.heartbeatSeconds * 1_000,
          beat: createHeartbeat({
            url: config.heartbeatUrl,
            snapshots: () =>
              companies.connections
                .list()
                .filter((connection) => restsBecause(connection) !== "disconnected")
                .map(({ company }) => ({
                  ageMs: snapshots.ageMs(company),
                  rhythmSeconds: snapshots.get(company)?.state.rhythmSeconds ?? config.pollSeconds,
                })),
            recording: runtime.recording,
            send: createPlainSend({
              limits: HEARTBEAT_LIMITS,
              clock,
              proxies: config.proxies,
              signal: stopping.signal,
            }),
            log,
          }),
        };
  return createCollector({
    ...common,
    companies: companies.connections,
    ...companies.polling,
    retentionDays: config.retentionDays,
    reportTimeZone: config.reportTimeZone,
    incidents: config.incidents,
    isPastWritten: (company) =>
      runtime.demo.has(company) ? isPastWritten(common.database, company) : Promise.resolve(true),
    heartbeat,
    onPublish(snapshot) {
      snapshots.publish(snapshot);
      onDemoSnapshot(snapshot.company);
    },
    onCheckRecorded: (company, isRecorded) => runtime.recording.checkRecorded(company, isRecorded),
    onLead: snapshots.setRecording,
  });
}

/** What messages are written from, wherever they are sent. */
function messageSources({ config, clock }: Process, { runtime, companies }: Parts) {
  const { appUrl, snapshots } = runtime;
  return {
    companies: () =>
      companies.connections
        .list()
        .map(({ company: slug, name, baseUrl, timeZone, externalId }) => ({
          ...companyName({ slug, name, external_id: externalId }),
          host: hostOf(baseUrl),
          ...(timeZone !== undefined && { timeZone }),
        })),
    visibilityOf: (company: string) =>
      visibilityOf(
        snapshots.get(company)?.state ?? null,
        snapshots.ageMs(company),
        clock.nowMs(),
        config,
      ),
    appUrl,
    timeZone: config.reportTimeZone,
  };
}

function outboxOf(own: Process, parts: Parts, common: Common) {
  const { access, runtime } = parts;
  const { channelSeal: seal, sendToChannel } = runtime;
  const mayRead = (holder: Grantee, company: string) => holds(access, holder, "view", company);
  return createOutbox({
    ...common,
    ...messageSources(own, parts),
    mayRead,
    mayHaveAlerts: (holder) => holdsSomewhere(access, holder, "handle-incidents"),
    send: createDeliverySend({ database: common.database, seal, sendToChannel, mayRead }),
    waitMs: own.config.messageWaitMs,
  });
}

function slackOf(own: Process, parts: Parts, common: Common) {
  const { runtime, slack } = parts;
  const shared = { seal: runtime.channelSeal, call: slack.callSlack };
  return createSlackSockets({
    ...common,
    ...shared,
    openSocket: slack.openSlackSocket,
    handle: createHandleEvent({
      ...messageSources(own, parts),
      ...shared,
      orm: common.database.orm,
      clock: own.clock,
      log: own.log,
      press: (press) => slack.pressSlackButton(runtime, press),
    }),
  });
}
