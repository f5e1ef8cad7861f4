"use client";

import { useQuery } from "@tanstack/react-query";
import { Suspense } from "react";
import { DataTable } from "@/components/resource/data-table";
import { ResourceList, ResourcePage } from "@/components/resource/resource-page";
import { RowActions } from "@/components/resource/row-actions";
import { useResource } from "@/components/resource/use-resource";
import { useRowAction } from "@/components/resource/use-row-action";
import { refusedFor } from "@/components/session/refused";
import { useResumableDialog } from "@/components/session/use-resumable-dialog";
import { Button } from "@/components/ui/button";
import { Link } from "@/components/ui/link";
import { lazyPart } from "@/components/ui/lazy-part";
import { statusOf } from "@/lib/client/api";
import {
  changeChannel,
  channelsQuery,
  makeChannel,
  removeChannel,
  testChannel,
} from "@/lib/client/queries/channels";
import { rulesQuery } from "@/lib/client/queries/rules";
import type { Channel, RuleView } from "@/lib/contracts/delivery";
import { channelColumns } from "./channel-columns";
import { Deliveries } from "./deliveries";
import {
  CHANNELS_DIALOG,
  NEW_CHANNEL,
  draftOf,
  isKeptChannels,
  keptChannels,
  type ChannelDraft,
} from "./draft";
import { notSaved } from "./problems";
import * as words from "./words";

const ChannelDialog = lazyPart(() => import("./channel-dialog"));
const OnceDialog = lazyPart(() => import("@/components/resource/once-dialog"));
const ConfirmDialog = lazyPart(() => import("@/components/resource/confirm-dialog"));
const Reauthentication = lazyPart(() => import("@/components/session/reauthentication"));

/** The dialog over the list. */
type Open =
  | { kind: "form"; channel: Channel | null; draft: ChannelDraft }
  | { kind: "made"; name: string; secret: string }
  | { kind: "remove"; channel: Channel }
  /** A test that waits for reauthentication. */
  | { kind: "test"; channel: Channel; onProven: () => void; onBack: () => void };

/** Channels, their delivery status, and the messages sent. */
export function ChannelsView() {
  const problemOf = (error: unknown) => words.refusal(statusOf(error));
  const { client, data, isError, dialog, open, close, attempt } = useResource(
    channelsQuery,
    problemOf,
    null as Open | null,
  );
  const { data: rules = null } = useQuery(rulesQuery);
  const tests = useRowAction();
  useResumableDialog(CHANNELS_DIALOG, isKeptChannels, (kept) => {
    const openAgain = (channels: readonly Channel[]) => {
      const channel = channels.find(({ id }) => id === kept.channel) ?? null;
      if (kept.dialog === "form" && (channel !== null || kept.channel === null)) {
        open({ kind: "form", channel, draft: kept.draft });
      }
      // A test is never repeated automatically.
      if (kept.dialog === "remove" && channel !== null) open({ kind: "remove", channel });
    };
    // The channels may arrive after the person's data.
    client.ensureQueryData(channelsQuery).then(openAgain, () => {});
  });

  /** @returns its outcome as a sentence; empty: not sent, because the person cancelled reauthentication */
  const test = async (channel: Channel): Promise<string> => {
    try {
      return words.testText(await testChannel(client, channel.id));
    } catch (error) {
      const refused = refusedFor(error, problemOf);
      if (refused !== "needs-reauthentication") return refused.problem;
      const isProven = await new Promise<boolean>((resolve) =>
        open({
          kind: "test",
          channel,
          onProven: () => resolve(true),
          onBack: () => resolve(false),
        }),
      );
      close();
      return isProven ? test(channel) : "";
    }
  };
  const act = (action: "test" | "edit" | "remove", channel: Channel) => {
    if (action === "test") void tests.run(channel.id, words.TESTING, () => test(channel));
    else if (action === "edit") open({ kind: "form", channel, draft: draftOf(channel) });
    else open({ kind: action, channel });
  };

  const add = (
    <span className="flex flex-wrap gap-2">
      <Button onClick={() => open({ kind: "form", channel: null, draft: NEW_CHANNEL })}>
        {words.ADD}
      </Button>
      <Link href="/settings/channels/slack" className="button-link is-primary">
        {words.ADD_SLACK}
      </Link>
    </span>
  );
  return (
    <ResourcePage
      title={data === undefined ? words.CHANNELS : words.headline(data)}
      subline={data && words.subline(data)}
      note={words.note}
      // An empty list has it below its sentence.
      actions={data?.length === 0 ? undefined : add}
    >
      <ResourceList
        data={data}
        isError={isError}
        amountOf={(channels) => channels.length}
        words={words.listWords}
        next={add}
      >
        {(channels) => (
          <DataTable
            label={words.CHANNELS}
            rows={channels}
            keyOf={({ id }) => id}
            toneOf={({ state }) => (state === "dead" ? "bad" : "")}
            result={({ id }) => tests.resultOf(id)}
            said={tests.said}
            columns={[
              ...channelColumns(rules),
              {
                title: words.listHead.actions,
                width: "w-[210px]",
                phone: "5 whole",
                isActions: true,
                cell: (channel) => (
                  <RowActions
                    name={channel.name}
                    actions={["test", "edit", "remove"]}
                    words={words.actions}
                    busy={
                      tests.runningSince(channel.id) === null
                        ? null
                        : { action: "test", text: words.TESTING }
                    }
                    onAct={(action) => act(action, channel)}
                  />
                ),
              },
            ]}
          />
        )}
      </ResourceList>
      <Deliveries />
      <Suspense>
        {dialog === null ? null : dialog.kind === "form" ? (
          <ChannelDialog
            key={dialog.channel?.id ?? "new"}
            channel={dialog.channel}
            first={dialog.draft}
            onAdd={(request) =>
              attempt(async () => {
                const { data: made, secret } = await makeChannel(client, request);
                return secret === undefined ? null : { kind: "made", name: made.name, secret };
              }, notSaved)
            }
            onChange={(id, change) =>
              attempt(async () => {
                if (Object.keys(change).length > 0) await changeChannel(client, id, change);
              }, notSaved)
            }
            onClose={close}
          />
        ) : dialog.kind === "made" ? (
          <OnceDialog
            title={words.secretDialog.title(dialog.name)}
            words={words.secretDialog}
            secret={dialog.secret}
            onClose={close}
            // The secret is shown only once, so wait until the code is loaded.
            onMissing={() => undefined}
          >
            {words.secretDialog.sentence}
          </OnceDialog>
        ) : dialog.kind === "remove" ? (
          <ConfirmDialog
            {...words.removeDialog(dialog.channel.name, usersOf(dialog.channel, rules))}
            proof={{
              words: words.proofWords.remove,
              kept: () => keptChannels({ dialog: "remove", channel: dialog.channel.id }),
            }}
            onDo={() => attempt(async () => void (await removeChannel(client, dialog.channel.id)))}
            onClose={close}
          />
        ) : (
          <Reauthentication
            {...words.proofWords.test}
            kept={() => keptChannels({ dialog: "test", channel: dialog.channel.id })}
            onProven={dialog.onProven}
            onBack={dialog.onBack}
          />
        )}
      </Suspense>
    </ResourcePage>
  );
}

/** The rules that send to a channel, and whether to others as well. */
function usersOf({ id }: Channel, rules: readonly RuleView[] | null) {
  return (
    rules
      ?.filter(({ channels }) => channels.includes(id))
      .map(({ name, channels }) => ({ name, isElsewhere: channels.length > 1 })) ?? null
  );
}
