"use client";

import { useQuery, useQueryClient } from "@tanstack/react-query";
import { Suspense, useCallback, useEffect, useState } from "react";
import { refusedFor, type Refused } from "@/components/session/refused";
import { useResumableDialog } from "@/components/session/use-resumable-dialog";
import { useZone } from "@/components/shell/time/zone";
import { Button } from "@/components/ui/button";
import { lazyPart } from "@/components/ui/lazy-part";
import { statusOf } from "@/lib/client/api";
import {
  linkSlack,
  slackQuery,
  unlinkSlack,
  whoseSlackLink,
} from "@/lib/client/queries/settings/slack";
import { isRecord } from "@/lib/client/snapshot";
import type { SlackAccount, SlackLinked } from "@/lib/contracts/me";
import { instantMs } from "@/lib/domain/time/instant";
import { dayMonthYear } from "@/lib/domain/words/dates";
import { SettingNote, SettingRow } from "./setting-row";
import { linkSlackDialog, proofWords, slackRefusal, slackWords as words } from "./words";

const ConfirmDialog = lazyPart(() => import("@/components/resource/confirm-dialog"));

/** Before the secret of a one-time link from Slack, behind the address. */
const HASH = "#slack=";

/** The question, stored in this tab during a sign-in at the provider: the link isn't in the address any more. */
const LINKING = "slack-link";
const isKeptLink = (state: unknown): state is { token: string } =>
  isRecord(state) && typeof state["token"] === "string";

/**
 * Linked Slack accounts; nothing while there are none. A one-time link from Slack opens its dialog.
 * @param onDone gets a sentence about what was done
 */
export function Slack({ onDone }: { onDone: (sentence: string) => void }) {
  const client = useQueryClient();
  const timeZone = useZone();
  const { data: accounts = [] } = useQuery(slackQuery);
  const [isBusy, setIsBusy] = useState(false);
  const [invited, setInvited] = useState<{ token: string; whose: SlackLinked } | null>(null);

  const ask = useCallback(
    (token: string) => {
      whoseSlackLink(token).then(
        (whose) => setInvited({ token, whose }),
        (error: unknown) => onDone(slackRefusal(statusOf(error))),
      );
    },
    [onDone],
  );
  useResumableDialog(LINKING, isKeptLink, ({ token }) => ask(token));

  useEffect(() => {
    const read = () => {
      const { hash, pathname, search } = window.location;
      if (!hash.startsWith(HASH)) return;
      const token = hash.slice(HASH.length);
      // Neither the history nor a copied address keeps the secret.
      window.history.replaceState(window.history.state, "", pathname + search);
      ask(token);
    };
    read();
    window.addEventListener("hashchange", read);
    return () => window.removeEventListener("hashchange", read);
  }, [ask]);

  const confirm = async (token: string): Promise<Refused | null> => {
    try {
      onDone(words.linked((await linkSlack(client, token)).user));
      setInvited(null);
      return null;
    } catch (error) {
      return refusedFor(error, (failed) => slackRefusal(statusOf(failed)));
    }
  };
  const unlink = async ({ id, user }: SlackAccount) => {
    setIsBusy(true);
    try {
      await unlinkSlack(client, id);
      onDone(words.unlinked(user));
    } catch {
      onDone(words.notUnlinked);
    }
    setIsBusy(false);
  };

  return (
    <>
      {accounts.length === 0 ? null : (
        <section className="panel border-t-0 pb-0" aria-labelledby="slack-title">
          <header>
            <h2 id="slack-title">{words.title}</h2>
          </header>
          {accounts.map((account) => (
            <SettingRow key={account.id} label={account.workspace}>
              <bdi>{account.user}</bdi>
              <Button
                isBusy={isBusy}
                aria-label={words.unlinkOf(account.user)}
                onClick={() => void unlink(account)}
              >
                {words.unlink}
              </Button>
              <SettingNote>
                {words.since(dayMonthYear(instantMs(account.linked_at) ?? Number.NaN, timeZone))}
              </SettingNote>
            </SettingRow>
          ))}
        </section>
      )}
      <Suspense>
        {invited === null ? null : (
          <ConfirmDialog
            title={linkSlackDialog.title}
            keep={linkSlackDialog.keep}
            act={linkSlackDialog.act}
            isHarmless
            proof={{
              words: proofWords.linkSlack,
              kept: () => ({ kind: LINKING, state: { token: invited.token } }),
            }}
            onDo={() => confirm(invited.token)}
            onClose={() => setInvited(null)}
          >
            {linkSlackDialog.sentence(invited.whose)}
          </ConfirmDialog>
        )}
      </Suspense>
    </>
  );
}
