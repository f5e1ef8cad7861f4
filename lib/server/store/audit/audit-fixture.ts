import { auditKeys, deriveAuditKey } from "./keys";

/** What the audit log of every test is signed with, in whichever process. */
export const TEST_KEYS = auditKeys(deriveAuditKey("a secret of the tests only"));

/** For `openDatabase`: nobody is told of commits. */
export const TEST_AUDIT = { keys: TEST_KEYS, onCommit: () => {} };
