"use client";

import { useState } from "react";
import { ConfidenceIcon } from "@/components/shell/confidence-icon";
import { useZone } from "@/components/shell/time/zone";
import { ListTable } from "@/components/ui/list-table";
import { useNow } from "@/lib/client/use-now";
import type { Channel, RuleView } from "@/lib/contracts/delivery";
import { absoluteTime, count, moment } from "@/lib/domain/words/format";
import {
  CHANNELS,
  KIND_LABEL,
  NEVER,
  NO_RULE,
  STATE_LABEL,
  TESTING,
  acts,
  failingSince,
  listHead,
  moreRules,
} from "./words";

const COLUMNS = 7;

/**
 * Channels, one row each.
 * @param rules null: they aren't known now
 * @param onTest says what came of it; null: it did not come to that
 */
export function ChannelList({
  channels,
  rules,
  onTest,
  onAct,
}: {
  channels: readonly Channel[];
  rules: readonly RuleView[] | null;
  onTest: (channel: Channel) => Promise<string | null>;
  onAct: (act: "edit" | "remove", channel: Channel) => void;
}) {
  const [said, setSaid] = useState("");
  return (
    <ListTable
      label={CHANNELS}
      className="settings-list channels"
      columns={[
        listHead.name,
        listHead.to,
        listHead.state,
        listHead.last,
        listHead.missed,
        listHead.rules,
      ]}
      acts={listHead.acts}
      said={said}
    >
      {channels.map((channel) => (
        <Row
          key={channel.id}
          channel={channel}
          rules={rules?.filter(({ channels: ids }) => ids.includes(channel.id)) ?? null}
          onTest={onTest}
          onAct={onAct}
          onSaid={setSaid}
        />
      ))}
    </ListTable>
  );
}

function Row({
  channel,
  rules,
  onTest,
  onAct,
  onSaid,
}: {
  channel: Channel;
  rules: readonly RuleView[] | null;
  onTest: (channel: Channel) => Promise<string | null>;
  onAct: (act: "edit" | "remove", channel: Channel) => void;
  onSaid: (text: string) => void;
}) {
  const { name, kind, settings, state, missed } = channel;
  const [test, setTest] = useState<{ isUnderWay: boolean; text: string }>({
    isUnderWay: false,
    text: "",
  });
  const ask = async () => {
    if (test.isUnderWay) return;
    setTest({ isUnderWay: true, text: "" });
    onSaid(TESTING);
    const text = (await onTest(channel)) ?? "";
    setTest({ isUnderWay: false, text });
    onSaid(text);
  };
  const [first, ...more] = rules ?? [];
  const row = (
    <tr className={state === "dead" ? "is-bad" : undefined}>
      <th scope="row" className="channel-name">
        <bdi>{name}</bdi>
        <small>{KIND_LABEL[kind]}</small>
      </th>
      <td className="channel-to">
        <bdi>{Object.values(settings).join(", ")}</bdi>
      </td>
      <td className="channel-state">
        <State channel={channel} />
      </td>
      <td className="channel-last">
        <When at={channel.tried_at} none={NEVER} />
      </td>
      <td className="channel-missed">{missed > 0 ? <b>{count(missed)}</b> : null}</td>
      <td className="channel-rules">
        {rules === null ? null : first === undefined ? NO_RULE : <bdi>{first.name}</bdi>}
        {more.length === 0 ? null : <small>{moreRules(more.length)}</small>}
      </td>
      <td className="channel-acts">
        <button
          type="button"
          className="settings-act"
          aria-label={acts.of(acts.test, name)}
          // Not disabled: the focus stays where it is.
          aria-disabled={test.isUnderWay}
          onClick={() => void ask()}
        >
          {test.isUnderWay ? TESTING : acts.test}
        </button>
        {(["edit", "remove"] as const).map((act) => (
          <button
            key={act}
            type="button"
            className="settings-act"
            aria-label={acts.of(acts[act], name)}
            onClick={() => onAct(act, channel)}
          >
            {acts[act]}
          </button>
        ))}
      </td>
    </tr>
  );
  if (test.text === "") return row;
  return (
    <>
      {row}
      <tr className="settings-result">
        <td colSpan={COLUMNS}>{test.text}</td>
      </tr>
    </>
  );
}

function State({ channel: { state, failing_since: since, said } }: { channel: Channel }) {
  const timeZone = useZone();
  const failing = useNow((nowMs) =>
    since === null ? "" : failingSince(moment(Date.parse(since), nowMs, timeZone)),
  );
  const isBad = state === "dead" || state === "failing";
  return (
    <>
      <span className={`channel-mark is-${state}`}>
        {isBad ? <ConfidenceIcon confidence="blind" /> : null}
        {state === "working" ? <Tick /> : null}
        {STATE_LABEL[state]}
      </span>
      <small>
        {isBad ? failing : null} {said === null ? null : <bdi>{said}</bdi>}
      </small>
    </>
  );
}

function Tick() {
  return (
    <svg className="icon" width="11" height="11" viewBox="0 0 16 16" aria-hidden="true">
      <path d="M2 8.6 6.2 12.8 14 4" fill="none" stroke="currentColor" strokeWidth="2.2" />
    </svg>
  );
}

/** "14:02", "Sat 08:44". @param none what stands for null */
export function When({ at, none }: { at: string | null; none: string }) {
  const timeZone = useZone();
  const ms = at === null ? null : Date.parse(at);
  const words = useNow((nowMs) => (ms === null ? none : moment(ms, nowMs, timeZone)));
  if (at === null || ms === null) return words;
  return (
    <time dateTime={at} title={absoluteTime(ms, timeZone)}>
      {words}
    </time>
  );
}
