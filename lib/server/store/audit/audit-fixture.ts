import { auditKeys, deriveAuditKey } from "./keys";

/** Signs the audit logs of all tests, in every process. */
export const TEST_KEYS = auditKeys(deriveAuditKey("a secret of the tests only"));

/** For `openDatabase`; ignores commits. */
export const TEST_AUDIT = { keys: TEST_KEYS, onCommit: () => {} };
