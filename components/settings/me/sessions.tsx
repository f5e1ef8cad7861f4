"use client";

import { When } from "@/components/resource/when";
import type { MySession } from "@/lib/contracts/me";
import { instantMs } from "@/lib/domain/time/instant";
import { span } from "@/lib/domain/words/format";
import { placeText, sessionWords as words } from "./words";

/** Where somebody is signed in, the present one first. */
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
  const lastsMs = any === undefined ? null : ms(any.ends_at) - ms(any.created_at);
  return (
    <section className="panel is-me" aria-labelledby="sessions-title">
      <header>
        <h2 id="sessions-title">{words.title}</h2>
        {lastsMs === null ? null : <p>{words.note(span(lastsMs))}</p>}
      </header>
      <table className="plain-table me-sessions">
        <thead>
          <tr>
            {[words.browser, words.address, words.since, words.seen, words.ends].map((title) => (
              <th key={title} scope="col">
                {title}
              </th>
            ))}
            <th scope="col">
              <span className="sr-only">{words.act}</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {sessions.map((session) => (
            <Session
              key={session.id}
              session={session}
              isBusy={isBusy}
              onEnd={() => (session.current ? onLeave() : onEnd(session))}
            />
          ))}
        </tbody>
      </table>
    </section>
  );
}

function Session({
  session,
  isBusy,
  onEnd,
}: {
  session: MySession;
  isBusy: boolean;
  onEnd: () => void;
}) {
  const { current, browser, address } = session;
  const name = browser || words.unknownBrowser;
  return (
    <tr>
      <th scope="row">
        {name} {current ? <span className="me-this">{words.thisOne}</span> : null}
      </th>
      <td>{placeText(address)}</td>
      <td data-label={words.since}>
        <When at={session.created_at} />
      </td>
      <td data-label={words.seen}>{current ? words.now : <When at={session.seen_at} />}</td>
      <td data-label={words.ends}>
        <When at={session.ends_at} />
      </td>
      <td className="me-act">
        <button type="button" disabled={isBusy} onClick={onEnd}>
          {current ? words.signOut : words.end}
          {current ? null : <span className="sr-only"> {name}</span>}
        </button>
      </td>
    </tr>
  );
}

function ms(instant: string): number {
  return instantMs(instant) ?? Number.NaN;
}
