"use client";

import { useQuery } from "@tanstack/react-query";
import { Suspense } from "react";
import { DataTable } from "@/components/resource/data-table";
import { ResourceList, ResourcePage, ResourceTools } from "@/components/resource/resource-page";
import { RowActions } from "@/components/resource/row-actions";
import { useListAddress, useResource } from "@/components/resource/use-resource";
import type { Refused } from "@/components/session/refused";
import { useResumableDialog } from "@/components/session/use-resumable-dialog";
import { useZone } from "@/components/shell/time/zone";
import { Button } from "@/components/ui/button";
import { lazyPart } from "@/components/ui/lazy-part";
import { Segmented } from "@/components/ui/segmented";
import { statusOf } from "@/lib/client/api";
import {
  makeServiceToken,
  makeToken,
  revokeToken,
  tokensQuery,
} from "@/lib/client/queries/settings/tokens";
import { useNow } from "@/lib/client/use-now";
import type { TokenEntry, TokensView as View } from "@/lib/contracts/tokens";
import { foldText, includesAll, needlesOf } from "@/lib/domain/text/fold-text";
import { dayMonthYear, weekdayAndDate } from "@/lib/domain/words/dates";
import {
  isTokenDraft,
  NEW_TOKEN,
  requestOf,
  serviceRequestOf,
  TOKENS_DIALOG,
  type TokenDraft,
} from "./draft";
import { SOON_MS, tokenColumns } from "./token-columns";
import { tokensParams } from "./tokens-url";
import * as words from "./words";

const CreateDialog = lazyPart(() => import("./create-dialog"));
const MadeDialog = lazyPart(() => import("./made-dialog"));
const ConfirmDialog = lazyPart(() => import("@/components/resource/confirm-dialog"));

type Open =
  | { kind: "create"; draft: TokenDraft }
  | { kind: "made"; name: string; summary: string; token: string }
  | { kind: "revoke" | "remove"; entry: TokenEntry };

/**
 * API tokens: the person's own, or all of them for administrators.
 * @param first data sent with the page, of all tokens if `managesAll`; null: none
 * @param companies those that the person may see
 * @param mayAct the person handles incidents of a company
 * @param managesAll the person may see and revoke all tokens, and create service tokens
 */
export function TokensView({
  first,
  companies,
  mayAct,
  managesAll,
}: {
  first: View | null;
  companies: readonly { slug: string; name: string }[];
  mayAct: boolean;
  managesAll: boolean;
}) {
  const timeZone = useZone();
  const { state, requested, narrow, onType } = useListAddress(tokensParams);
  const isEveryones = managesAll && state.whose === null;
  const isFirst = first !== null && isEveryones === managesAll;
  const { client, data, isError, dialog, open, close, attempt } = useResource(
    { ...tokensQuery(isEveryones), ...(isFirst && { initialData: first }) },
    (error) => words.refusal(statusOf(error)),
    null as Open | null,
  );
  const { data: everyones } = useQuery({ ...tokensQuery(true), enabled: managesAll });
  useResumableDialog(TOKENS_DIALOG, isTokenDraft, (draft) => open({ kind: "create", draft }));

  const create = (draft: TokenDraft) =>
    attempt(async () => {
      const request = requestOf(draft);
      const { token, expires_at: expiresAt } =
        request === null
          ? await makeServiceToken(client, serviceRequestOf(draft, companies))
          : await makeToken(client, request);
      const amount = draft.companies === "all" ? "all" : draft.companies.length;
      const summary = words.madeDialog.summary(
        draft.kind,
        words.madeDialog.companies(
          draft.kind === "service" && amount === "all" ? companies.length : amount,
        ),
        dayMonthYear(Date.parse(expiresAt), timeZone),
      );
      return { kind: "made", name: draft.name.trim(), summary, token };
    });
  const shown = (view: View) => filtered(view, requested.q);
  return (
    <ResourcePage
      title={data === undefined ? words.TOKENS : <Headline tokens={data.data} />}
      subline={words.subline}
      note={words.note}
      actions={
        <Button look="primary" onClick={() => open({ kind: "create", draft: NEW_TOKEN })}>
          {words.CREATE}
        </Button>
      }
    >
      <ResourceTools search={words.SEARCH} text={state.q} onType={onType}>
        {managesAll ? (
          <Segmented
            label={words.WHOSE}
            value={state.whose ?? "all"}
            options={words.whoseChoices(
              everyones?.data.filter(({ person }) => person?.is_you === true).length ?? null,
              everyones?.data.length ?? null,
            )}
            onChange={(value) => narrow({ whose: value === "all" ? null : value })}
          />
        ) : null}
        <a
          href="/api/openapi.json"
          target="_blank"
          rel="noreferrer"
          className="settings-act ml-auto max-md:ml-0"
        >
          {words.REFERENCE}
        </a>
      </ResourceTools>
      <ResourceList
        data={data}
        isError={isError}
        amountOf={(view) => shown(view).length}
        isNarrowed={requested.q !== ""}
        words={words.listWords}
        onShowAll={() => narrow({ q: "", whose: null })}
      >
        {(view) => (
          <DataTable
            label={words.TOKENS}
            rows={shown(view)}
            keyOf={({ id }) => id}
            rowHeight="one-line"
            toneOf={(entry) => (works(entry) ? "" : "off")}
            columns={[
              ...tokenColumns,
              {
                title: words.listHead.actions,
                phone: "4 end",
                isActions: true,
                cell: (entry) => (
                  <RowActions
                    name={entry.name}
                    actions={[
                      entry.state === "expired" ? ("remove" as const) : ("revoke" as const),
                    ]}
                    words={words.actions}
                    onAct={(kind) => open({ kind, entry })}
                  />
                ),
              },
            ]}
          />
        )}
      </ResourceList>
      <Suspense>
        {dialog === null ? null : dialog.kind === "create" ? (
          <CreateDialog
            first={dialog.draft}
            companies={companies}
            mayAct={mayAct}
            mayServe={managesAll}
            onCreate={create}
            onClose={close}
          />
        ) : dialog.kind === "made" ? (
          <MadeDialog
            name={dialog.name}
            summary={dialog.summary}
            token={dialog.token}
            onClose={close}
            // The token is shown only once, so wait until the code is loaded.
            onMissing={() => undefined}
          />
        ) : (
          <RevokeDialog
            kind={dialog.kind}
            entry={dialog.entry}
            onDo={() =>
              attempt(
                async () =>
                  void (await revokeToken(
                    client,
                    dialog.entry.id,
                    dialog.entry.person?.is_you === true,
                  )),
              )
            }
            onClose={close}
          />
        )}
      </Suspense>
    </ResourcePage>
  );
}

function RevokeDialog({
  kind,
  entry,
  ...rest
}: {
  kind: "revoke" | "remove";
  entry: TokenEntry;
  onDo: () => Promise<Refused | null>;
  onClose: () => void;
}) {
  const { title, keep, revoke, sentence } =
    kind === "revoke" ? words.revokeDialog : words.removeDialog;
  return (
    <ConfirmDialog {...rest} title={title(entry.name)} keep={keep} act={revoke}>
      {sentence}
    </ConfirmDialog>
  );
}

function Headline({ tokens }: { tokens: readonly TokenEntry[] }) {
  const timeZone = useZone();
  const valid = tokens.filter(works);
  return useNow((nowMs) => {
    const soon = valid.filter(({ expires_at: at }) => Date.parse(at) - nowMs < SOON_MS);
    const [only] = soon;
    const day = only === undefined ? "" : weekdayAndDate(Date.parse(only.expires_at), timeZone);
    return words.headline(valid.length, { amount: soon.length, day });
  });
}

const works = ({ state }: TokenEntry) => state !== "expired" && state !== "ended";

function filtered({ data }: View, q: string): readonly TokenEntry[] {
  const needles = needlesOf(q);
  return data.filter(({ name, person, made_by: maker }) => {
    const text = foldText(`${name} ${(person ?? maker).name}`);
    return includesAll(text, needles);
  });
}
