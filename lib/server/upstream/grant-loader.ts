import type { Logger } from "pino";
import type { Scope } from "@/lib/contracts/v3";
import { purposeOf, type Grants, type Purpose } from "./grants";
import type { Token } from "./token-request";
import type { TellWait, TokenSlot } from "./token-slot";
import { isUpstreamFailure, type Lane } from "./upstream";

/** Loads the grants when they are needed. */
export type GrantLoader = {
  /** Loads them; callers share one request. @throws UpstreamFailure */
  load(lane: Lane): Promise<void>;
  /** Loads what a request with `scope` needs to know, if anything. @throws UpstreamFailure */
  loadFor(scope: Scope, lane: Lane, onLongWait?: TellWait): Promise<void>;
  /** Loads them in the background if some are missing, so that newly granted scopes show the next time. */
  reloadMissing(lane: Lane): void;
};

/**
 * @param options.request requests a token for all grants, which isn't used otherwise, because it carries more than any
 *   request needs
 */
export function createGrantLoader({
  company,
  log,
  grants,
  slots,
  isCrowded,
  request,
}: {
  company: string;
  log: Pick<Logger, "warn">;
  grants: Grants;
  slots: Readonly<Record<Purpose, Pick<TokenSlot, "current" | "drop">>>;
  isCrowded: () => boolean;
  request: (lane: Lane) => Promise<Token>;
}): GrantLoader {
  let loading: Promise<void> | null = null;

  async function loadNow(lane: Lane): Promise<void> {
    const { scopes } = await request(lane);
    for (const purpose of grants.noteLearned(scopes)) slots[purpose].drop();
  }

  function load(lane: Lane): Promise<void> {
    loading ??= loadNow(lane).finally(() => {
      loading = null;
    });
    return loading;
  }

  /** @param failure logged when loading fails */
  function loadMeanwhile(lane: Lane, failure: string): void {
    load(lane).catch((error: unknown) => {
      log.warn({ company, err: error }, failure);
    });
  }

  /**
   * Requests the one token that a company needs for display, for all reading. Whether deleting is granted is
   * loaded later, when there is room.
   */
  async function readFirst(lane: Lane, onLongWait?: TellWait): Promise<void> {
    try {
      await slots.read.current(lane, onLongWait);
    } catch (error) {
      // It requests more than is granted, so the grants have to be loaded.
      if (!isForbidden(error)) throw error;
    }
  }

  return {
    load,
    async loadFor(scope, lane, onLongWait) {
      await grants.takeUpStored();
      if (grants.scopes() === null && isCrowded() && purposeOf(scope) === "read") {
        await readFirst(lane, onLongWait);
      }
      switch (grants.due(scope)) {
        case "now":
          return load(lane);
        case "probe":
          if (loading === null && grants.probeIsDue()) loadMeanwhile("jobs", NOT_LEARNED);
          return;
        case "meanwhile":
          return loadMeanwhile(lane, NOT_LEARNED_AGAIN);
        case "no":
      }
    },
    reloadMissing(lane) {
      if (grants.relearnIsDue()) loadMeanwhile(lane, NOT_LEARNED_AGAIN);
    },
  };
}

const NOT_LEARNED = "grants were not learned";
const NOT_LEARNED_AGAIN = "grants were not learned again";

/** Whether a scope wasn't granted. */
export function isForbidden(error: unknown): boolean {
  return isUpstreamFailure(error) && error.reason === "forbidden";
}
