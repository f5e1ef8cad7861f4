import type { Logger } from "pino";
import { SCOPES, type Scope } from "@/lib/contracts/v3";
import type { Clock } from "@/lib/server/clock";
import {
  createUpstreamTokenStore,
  type StoredPurpose,
} from "@/lib/server/store/upstream/upstream-tokens";
import type { Database } from "@/lib/server/store/database";
import type { Seal } from "./seal";
import { REFRESH_AT_LIFE_PART, type Token } from "./token-request";

/**
 * A client's tokens and grants, persisted across restarts and shared by all instances. Nothing rejects: without
 * the database, tokens are requested again. Writes aren't awaited.
 */
export type KeptTokens = {
  read(purpose: "read" | "write"): Promise<Token | null>;
  write(purpose: "read" | "write", token: Token, lifeMs: number): void;
  forget(purpose: "read" | "write", token: Token): void;
  readGrants(): Promise<{ scopes: ReadonlySet<Scope>; ageMs: number } | null>;
  writeGrants(scopes: ReadonlySet<Scope>): void;
};

/** Grants are refreshed daily, and valid until then. */
const GRANTS_LIFE_MS = 86_400_000;

/** @param databaseNowMs for tests: replaces the database clock of stored timestamps */
export function createKeptTokens({
  database,
  clock,
  log,
  seal,
  client,
  databaseNowMs,
}: {
  database: Database;
  clock: Clock;
  log: Pick<Logger, "warn">;
  seal: Seal;
  client: { origin: string; clientId: string };
  databaseNowMs?: (() => number) | undefined;
}): KeptTokens {
  const store = createUpstreamTokenStore(database, client, databaseNowMs ?? null);
  /** As written or read by this process; encrypting the same token twice gives different texts. */
  const sealedAs = new Map<StoredPurpose, { value: string; sealed: string }>();

  const note = (err: unknown) => log.warn({ err }, "a token could not be stored or reused");

  return {
    async read(purpose) {
      const found = await store.read(purpose).catch(note);
      if (!found || found.endsInMs <= 0) return null;
      const value = seal.open(found.sealed);
      if (value === null) return null;
      sealedAs.set(purpose, { value, sealed: found.sealed });
      const nowMs = clock.monotonicMs();
      // If the database clock went back, assume the greatest possible age.
      const lifeMs = found.endsInMs + Math.max(0, found.ageMs);
      return {
        value,
        scopes: scopesOf(found.scopes),
        refreshAtMs: nowMs + found.endsInMs - lifeMs * (1 - REFRESH_AT_LIFE_PART),
        expiresAtMs: nowMs + found.endsInMs,
      };
    },
    write(purpose, { value, scopes }, lifeMs) {
      const sealed = seal.close(value);
      sealedAs.set(purpose, { value, sealed });
      store.write(purpose, { sealed, scopes: textOf(scopes), lifeMs }).catch(note);
    },
    forget(purpose, { value }) {
      const known = sealedAs.get(purpose);
      if (known?.value === value) store.forget(purpose, known.sealed).catch(note);
    },
    async readGrants() {
      const found = await store.read("grants").catch(note);
      return found ? { scopes: scopesOf(found.scopes), ageMs: found.ageMs } : null;
    },
    writeGrants(scopes) {
      const row = { sealed: "", scopes: textOf(scopes), lifeMs: GRANTS_LIFE_MS };
      store.write("grants", row).catch(note);
    },
  };
}

const textOf = (scopes: ReadonlySet<Scope>) => [...scopes].join(" ");

function scopesOf(text: string): ReadonlySet<Scope> {
  const given = text.split(" ");
  return new Set(SCOPES.filter((scope) => given.includes(scope)));
}
