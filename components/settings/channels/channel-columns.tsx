import type { Column } from "@/components/resource/data-table";
import { When } from "@/components/resource/when";
import { ConfidenceIcon } from "@/components/marks/confidence-icon";
import type { Channel, RuleView } from "@/lib/contracts/delivery";
import { count } from "@/lib/domain/words/format";
import * as words from "./words";

const { listHead } = words;

/** Columns of the channel list. @param rules null: not loaded */
export const channelColumns = (rules: readonly RuleView[] | null): readonly Column<Channel>[] => [
  {
    title: listHead.name,
    width: "w-[16%]",
    phone: "1 start",
    isHeader: true,
    cell: ({ name, kind }) => (
      <>
        <bdi>{name}</bdi>
        <small>{words.KIND_LABEL[kind]}</small>
      </>
    ),
  },
  {
    title: listHead.to,
    width: "w-[18%]",
    phone: "2 start quiet",
    cell: ({ settings }) => <bdi>{Object.values(settings).join(", ")}</bdi>,
  },
  {
    title: listHead.state,
    width: "w-[24%]",
    phone: "3 whole",
    cell: (channel) => <State channel={channel} />,
  },
  {
    title: listHead.last,
    width: "w-[9%]",
    phone: "2 end quiet",
    cell: ({ tried_at: at }) => <When at={at} none={words.NEVER} />,
  },
  {
    title: listHead.missed,
    width: "w-[60px]",
    phone: "1 end",
    isNumeric: true,
    // Phone cards have no column heads.
    className: "max-md:after:content-['_unsent']",
    cell: ({ missed }) => (missed > 0 ? <b>{count(missed)}</b> : null),
  },
  {
    title: listHead.rules,
    phone: "4 whole quiet",
    cell: ({ id }) => {
      if (rules === null) return null;
      const [first, ...more] = rules.filter(({ channels }) => channels.includes(id));
      return (
        <>
          {first === undefined ? words.NO_RULE : <bdi>{first.name}</bdi>}
          {more.length === 0 ? null : <small>{words.moreRules(more.length)}</small>}
        </>
      );
    },
  },
];

const STATE_CLASS: Readonly<Record<Channel["state"], string>> = {
  dead: "font-strong text-failing-text",
  failing: "font-medium",
  untested: "text-ink-2",
  working: "",
};

function State({ channel: { state, failing_since: since, said, socket } }: { channel: Channel }) {
  const isBad = state === "dead" || state === "failing";
  return (
    <>
      <span className={`inline-flex items-center gap-1.5 ${STATE_CLASS[state]}`}>
        {isBad ? <ConfidenceIcon confidence="blind" /> : null}
        {state === "working" ? <Tick /> : null}
        {words.STATE_LABEL[state]}
      </span>
      <small>
        {isBad ? <When at={since} say={words.failingSince} /> : null}{" "}
        {said === null ? null : <bdi>{said}</bdi>}
      </small>
      {socket === null ? null : (
        <small>
          {words.socketText(socket)} <When at={socket.at} say={words.socketSeen} />
        </small>
      )}
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
