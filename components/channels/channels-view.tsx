"use client";

import { useQuery, useQueryClient } from "@tanstack/react-query";
import { Suspense, useState } from "react";
import { refusedFor, type Refused } from "@/components/session/refused";
import { useResumableDialog } from "@/components/session/use-resumable-dialog";
import { Button } from "@/components/ui/button";
import { Empty } from "@/components/ui/empty";
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
import type { Channel } from "@/lib/contracts/delivery";
import { ChannelList } from "./channel-list";
import { Deliveries } from "./deliveries";
import {
  CHANNELS_DIALOG,
  NEW_CHANNEL,
  draftOf,
  isKeptChannels,
  keptChannels,
  type ChannelDraft,
} from "./draft";
import {
  ADD,
  CHANNELS,
  headline,
  noChannels,
  notLoaded,
  note,
  proofWords,
  refusal,
  removeDialog,
  subline,
  testText,
} from "./words";
import "@/components/ui/page.css";
import "@/components/resource/resource.css";
import "./channels.css";

const ChannelDialog = lazyPart(() => import("./channel-dialog"));
const SecretDialog = lazyPart(() => import("./secret-dialog"));
const ConfirmDialog = lazyPart(() => import("@/components/session/confirm-dialog"));
const Reauthentication = lazyPart(() => import("@/components/session/reauthentication"));

/** What stands over the list. */
type Open =
  | { kind: "form"; channel: Channel | null; draft: ChannelDraft }
  | { kind: "made"; name: string; secret: string }
  | { kind: "remove"; channel: Channel }
  /** A test that waits for its person to prove who they are. */
  | { kind: "test"; channel: Channel; onProven: () => void; onBack: () => void };

/** Where incidents are sent to, whether they get there, and what was sent. */
export function ChannelsView() {
  const client = useQueryClient();
  const { data, isError } = useQuery(channelsQuery);
  const { data: rules } = useQuery(rulesQuery);
  const [open, setOpen] = useState<Open | null>(null);
  const close = () => setOpen(null);
  const add = () => setOpen({ kind: "form", channel: null, draft: NEW_CHANNEL });
  useResumableDialog(CHANNELS_DIALOG, isKeptChannels, (kept) => {
    const channel = data?.find(({ id }) => id === kept.channel) ?? null;
    if (kept.dialog === "form" && (channel !== null || kept.channel === null)) {
      setOpen({ kind: "form", channel, draft: kept.draft });
    }
    // A test is asked for again by whoever still wants it.
    if (kept.dialog === "remove" && channel !== null) setOpen({ kind: "remove", channel });
  });

  const test = async (channel: Channel): Promise<string | null> => {
    try {
      return testText(await testChannel(client, channel.id));
    } catch (error) {
      const refused = refusedFor(error, () => refusal(statusOf(error)));
      if (refused !== "needs-reauthentication") return refused.problem;
      const isProven = await new Promise<boolean>((resolve) =>
        setOpen({
          kind: "test",
          channel,
          onProven: () => resolve(true),
          onBack: () => resolve(false),
        }),
      );
      close();
      return isProven ? test(channel) : null;
    }
  };

  return (
    <>
      <header className="page-head">
        <div className="min-w-0">
          <h1 className="page-title">{data === undefined ? CHANNELS : headline(data)}</h1>
          <p className="mt-0.5 text-ink-2 empty:hidden">{data && subline(data)}</p>
        </div>
        <div className="page-actions">
          <Button look="primary" onClick={add}>
            {ADD}
          </Button>
        </div>
      </header>
      {data === undefined ? (
        isError ? (
          <Empty title={notLoaded.title}>{notLoaded.sentence}</Empty>
        ) : (
          <div className="min-h-[300px]" aria-busy="true" />
        )
      ) : data.length === 0 ? (
        <Empty title={noChannels.title}>{noChannels.sentence}</Empty>
      ) : (
        <ChannelList
          channels={data}
          rules={rules ?? null}
          onTest={test}
          onAct={(act, channel) =>
            setOpen(
              act === "edit"
                ? { kind: "form", channel, draft: draftOf(channel) }
                : { kind: "remove", channel },
            )
          }
        />
      )}
      <Deliveries />
      <p className="settings-note">{note}</p>
      <Suspense>
        {open === null ? null : open.kind === "form" ? (
          <ChannelDialog
            key={open.channel?.id ?? "new"}
            channel={open.channel}
            first={open.draft}
            onAdd={(request) =>
              attempt(async () => {
                const { data: made, secret } = await makeChannel(client, request);
                setOpen(secret === undefined ? null : { kind: "made", name: made.name, secret });
              })
            }
            onChange={(change) =>
              attempt(async () => {
                if (open.channel !== null && Object.keys(change).length > 0)
                  await changeChannel(client, open.channel.id, change);
                close();
              })
            }
            onClose={close}
          />
        ) : open.kind === "made" ? (
          <SecretDialog
            name={open.name}
            secret={open.secret}
            onClose={close}
            // It is told only once: it waits for its dialog.
            onMissing={() => undefined}
          />
        ) : open.kind === "remove" ? (
          <ConfirmDialog
            words={{
              title: removeDialog.title(open.channel.name),
              sentence: removeDialog.sentence,
              keep: removeDialog.keep,
              act: removeDialog.remove,
              isHarmless: false,
            }}
            proof={proofWords.remove}
            kept={() => keptChannels({ dialog: "remove", channel: open.channel.id })}
            onDo={() =>
              attempt(async () => {
                await removeChannel(client, open.channel.id);
                close();
              })
            }
            onClose={close}
          />
        ) : (
          <Reauthentication
            {...proofWords.test}
            kept={() => keptChannels({ dialog: "test", channel: open.channel.id })}
            onProven={open.onProven}
            onBack={open.onBack}
          />
        )}
      </Suspense>
    </>
  );
}

/** Null when it was done, else why it was not. */
async function attempt(work: () => Promise<void>): Promise<Refused | null> {
  try {
    await work();
    return null;
  } catch (error) {
    return refusedFor(error, () => refusal(statusOf(error)));
  }
}
