"use client";

import { DataTable, type Column } from "@/components/resource/data-table";
import { When } from "@/components/resource/when";
import type { MySession } from "@/lib/contracts/me";
import { span } from "@/lib/domain/words/format";
import { placeText, sessionWords as words } from "./words";

/** A person's sessions, the current one first. */
export function Sessions({
  sessions,
  isBusy,
  onEnd,
  onLeave,
}: {
  sessions: readonly MySession[];
  isBusy: boolean;
  onEnd: (session: MySession) => void;
  onLeave: () => void;
}) {
  const [any] = sessions;
  return (
    <div className="panel border-t-0 pb-0">
      <header>
        <h2>{words.title}</h2>
        {any === undefined ? null : (
          <p>{words.note(span(Date.parse(any.ends_at) - Date.parse(any.created_at)))}</p>
        )}
      </header>
      <DataTable
        label={words.title}
        rowHeight="one-line"
        className="min-w-0!"
        rows={sessions}
        keyOf={({ id }) => id}
        columns={[
          ...COLUMNS,
          {
            title: words.act,
            width: "w-[96px]",
            phone: "1 end",
            isActions: true,
            cell: (session) => (
              <button
                type="button"
                className="settings-act max-md:-my-3! aria-disabled:text-ink-3 aria-disabled:no-underline"
                // Not disabled: that would move the focus.
                aria-disabled={isBusy}
                onClick={() => {
                  if (!isBusy) (session.current ? onLeave : onEnd)(session);
                }}
              >
                {session.current ? words.signOut : words.end}
                {session.current ? null : <span className="sr-only"> {nameOf(session)}</span>}
              </button>
            ),
          },
        ]}
      />
    </div>
  );
}

const nameOf = ({ browser }: MySession) => browser || words.unknownBrowser;

const COLUMNS: readonly Column<MySession>[] = [
  {
    title: words.browser,
    width: "w-[310px]",
    phone: "1 start",
    isHeader: true,
    cell: (session) => (
      <>
        {nameOf(session)}{" "}
        {session.current ? <span className="font-normal text-ink-2">{words.thisOne}</span> : null}
      </>
    ),
  },
  { title: words.address, phone: "2 whole", cell: ({ address }) => placeText(address) },
  {
    title: words.since,
    phone: "3 whole",
    isLabelled: true,
    cell: ({ created_at: at }) => <When at={at} />,
  },
  {
    title: words.seen,
    phone: "4 whole",
    isLabelled: true,
    cell: ({ current, seen_at: at }) => (current ? words.now : <When at={at} />),
  },
  {
    title: words.ends,
    phone: "5 whole",
    isLabelled: true,
    cell: ({ ends_at: at }) => <When at={at} />,
  },
];
