import type { Scene } from "../simulation";
import { createAuditCheck } from "./audit";
import { createCanariesCheck } from "./canaries";
import { createConnectionWatch } from "./connections/connection-watch";
import { createDeletionsCheck } from "./deletions";
import { createGapsCheck } from "./gaps";
import { createIncidentsCheck } from "./incidents";
import { createMessagesCheck } from "./messages";
import { createMirrorCheck } from "./mirror";
import { createFalseGreenCheck } from "./no-false-green";
import { createOutdatedSecretsCheck } from "./connections/outdated-secrets";
import { createPausedConnectionsCheck } from "./connections/paused-connections";
import { createPromisesCheck } from "./promises";
import { createRecordCheck } from "./record";
import { createRecoveryCheck } from "./recovery";
import { createSharesCheck } from "./report-shares";
import { createReportCheck } from "./report-times";
import { createTermsCheck } from "./terms/terms";
import { createUpstreamBudgetCheck } from "./upstream-budget";

/**
 * All invariants of one run. They know inputs and outputs only: what the API and the receivers saw, what a screen shows,
 * and the rows of the database. @returns throws `Broken`
 */
export function createCheck(): (scene: Scene, isEnd: boolean) => Promise<void> {
  const report = createReportCheck();
  const connections = createConnectionWatch();
  const checks = [
    createFalseGreenCheck(),
    createUpstreamBudgetCheck(),
    // What was sent until now is judged by what connections were until now.
    createPausedConnectionsCheck(connections),
    createOutdatedSecretsCheck(connections),
    connections.run,
    createTermsCheck(),
    createMessagesCheck(),
    createIncidentsCheck(report),
    report.run,
    createSharesCheck(),
    createDeletionsCheck(),
    createMirrorCheck(),
    createRecordCheck(connections),
    createGapsCheck(),
    createPromisesCheck(),
    createCanariesCheck(),
    createAuditCheck(),
    createRecoveryCheck(),
  ];
  return async (scene, isEnd) => {
    for (const check of checks) await check(scene, isEnd);
  };
}
