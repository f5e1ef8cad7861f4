import type {
  PresentEndpoint,
  SharedPartnerPage,
  SharedPresent,
} from "@/lib/contracts/shared-page";
import { quietNote } from "@/lib/domain/learned-week/quiet-text";
import { partnerHeadline } from "@/lib/domain/words/partner-headline";
import { thenHeadline } from "@/lib/domain/words/shared-words";
import { changeOf, thenAndNowHeadline, thenAndNowTimes } from "@/lib/domain/words/then-and-now";
import {
  type DrawnSide,
  EndpointName,
  EndpointTable,
  isFrozen,
  NowCell,
  NowHead,
  nowSide,
  Promised,
  QuietWeek,
  SeenOrBlind,
  ThenCell,
  ThenHead,
  ThenRemark,
  UnknownCell,
} from "./cells";
import { CustomerParagraph } from "./customer-paragraph";
import { LiveMain } from "./live-main";
import { PageFrame } from "./page-frame";
import { clockAndZone } from "./times";
import { page as words } from "./words";

/** The complete page of a link to a partner: then, now, or both. */
export function PartnerPage({ page }: { page: SharedPartnerPage }) {
  const { partnerName, companyName, shows, sharedByName, timeZone, now } = page;
  const note = (
    <p className="note">
      {words.noteOf(shows)} {shows === "both" ? `${words.edge} ${words.line}` : words.line}
    </p>
  );
  return (
    <PageFrame
      page={page}
      title={words.title(partnerName, sharedByName)}
      what={words.what(companyName, partnerName)}
      isLive={now !== null}
    >
      {now === null ? (
        <main className="is-then">
          <Then page={page} />
          {note}
        </main>
      ) : (
        <LiveMain now={now} timeZone={timeZone}>
          {now.endpoints.length === 0 || now.asOfMs === null ? null : (
            <CustomerParagraph partnerName={partnerName} now={now} timeZone={timeZone} />
          )}
          {shows === "both" ? (
            <ThenAndNow page={page} now={now} />
          ) : (
            <Now partnerName={partnerName} now={now} timeZone={timeZone} />
          )}
          {note}
        </LiveMain>
      )}
    </PageFrame>
  );
}

function Then({ page: { partnerName, past, nowMs, timeZone } }: { page: SharedPartnerPage }) {
  const { atMs, endpoints } = past;
  const when = { nowMs, timeZone };
  const { before } = thenAndNowTimes({ atMs, ...when });
  return (
    <>
      <h1>{thenHeadline(partnerName, endpoints, { atMs, wasBlind: isFrozen(past), ...when })}</h1>
      <ThenRemark past={past} when={when} />
      <EndpointTable head={<ThenHead past={past} before={before} timeZone={timeZone} />}>
        {endpoints.map((endpoint) => (
          <tr key={endpoint.id}>
            <EndpointName endpointKey={endpoint.endpointKey}>
              <QuietWeek text={endpoint.quiet} />
            </EndpointName>
            <ThenCell side={endpoint} past={past} />
          </tr>
        ))}
      </EndpointTable>
    </>
  );
}

type NowProps = { partnerName: string; now: SharedPresent; timeZone: string };

function Now({ partnerName, now, timeZone }: NowProps) {
  const { endpoints, apiNowMs, asOfMs } = now;
  if (asOfMs === null) return <h1>{words.neverSeen}</h1>;
  if (endpoints.length === 0) return <h1>{words.noLonger(partnerName)}</h1>;
  const time = clockAndZone({ nowMs: apiNowMs, timeZone });
  const headline = { partnerName, now, timeZone };
  return (
    <>
      <h1>
        <SeenOrBlind
          seen={<NowHeadline {...headline} isBlind={false} />}
          blind={<NowHeadline {...headline} isBlind />}
        />
      </h1>
      <EndpointTable head={<NowHead now={now} time={time} timeZone={timeZone} />}>
        {endpoints.map((endpoint) => (
          <tr key={endpoint.id}>
            <EndpointName endpointKey={endpoint.endpointKey}>
              <Promised endpoint={endpoint} when={{ nowMs: apiNowMs, timeZone }} />
              <QuietWeek text={quietNote(endpoint.judgement, timeZone)} />
            </EndpointName>
            <NowCell endpoint={endpoint} isCompared={false} />
          </tr>
        ))}
      </EndpointTable>
    </>
  );
}

function NowHeadline({ partnerName, now, timeZone, isBlind }: NowProps & { isBlind: boolean }) {
  const { endpoints, apiNowMs: nowMs, asOfMs } = now;
  const shown = endpoints.map(({ endpointKey, verdict, judgement }) => ({
    endpointKey,
    word: isBlind ? verdict : judgement.word,
    judgement,
  }));
  const frozen = isBlind ? { asOfMs: asOfMs ?? nowMs, nowMs, timeZone } : null;
  const { before, endpointKey, after } = partnerHeadline(partnerName, shown, frozen);
  return (
    <>
      {before}
      <span className="mono">{endpointKey}</span>
      {after}
    </>
  );
}

function ThenAndNow({
  page: { partnerName, past, timeZone },
  now,
}: {
  page: SharedPartnerPage;
  now: SharedPresent;
}) {
  const { atMs } = past;
  const { apiNowMs: nowMs, asOfMs } = now;
  const when = { nowMs, timeZone };
  const times = thenAndNowTimes({ atMs, ...when });
  const lines = pairUp(past.endpoints, now.endpoints);
  const headline = (isBlind: boolean) =>
    thenAndNowHeadline(lines, { atMs, wasBlind: isFrozen(past), ...when, isBlind });
  return (
    <>
      <h1>
        <SeenOrBlind seen={headline(false)} blind={headline(true)} />
      </h1>
      <ThenRemark past={past} when={when} />
      {now.endpoints.length === 0 && asOfMs !== null ? (
        <p className="sub">{words.noLonger(partnerName)}</p>
      ) : null}
      <EndpointTable
        head={
          <>
            <ThenHead past={past} before={times.before} timeZone={timeZone} />
            <NowHead now={now} time={times.now} timeZone={timeZone} />
            <th scope="col">{words.change}</th>
          </>
        }
      >
        {lines.map(({ id, endpointKey, before, present, change }) => (
          <tr key={id} className={change.hasChanged ? "chg" : ""}>
            <EndpointName endpointKey={endpointKey}>
              {present === null ? null : <Promised endpoint={present} when={when} />}
              <QuietWeek text={present === null ? "" : quietNote(present.judgement, timeZone)} />
            </EndpointName>
            <ThenCell side={before} past={past} />
            {present === null ? (
              <UnknownCell kind="now" />
            ) : (
              <NowCell endpoint={present} isCompared />
            )}
            <td className="change">
              <SeenOrBlind seen={change.text} blind={words.notKnownNow} />
            </td>
          </tr>
        ))}
      </EndpointTable>
    </>
  );
}

/** Then and now of every endpoint known at either time; those that left come last. */
function pairUp(
  past: SharedPartnerPage["past"]["endpoints"],
  now: SharedPresent["endpoints"],
): Line[] {
  const before = new Map(past.map((endpoint) => [endpoint.id, endpoint]));
  const present = now.map((endpoint) => {
    const side = before.get(endpoint.id) ?? null;
    before.delete(endpoint.id);
    return lineOf(endpoint, side, endpoint);
  });
  return [...present, ...[...before.values()].map((endpoint) => lineOf(endpoint, endpoint, null))];
}

type Line = ReturnType<typeof lineOf>;

function lineOf(
  { id, endpointKey }: { id: string; endpointKey: string },
  before: DrawnSide | null,
  present: PresentEndpoint | null,
) {
  const now = present === null ? null : nowSide(present);
  return { id, endpointKey, before, now, present, change: changeOf(before, now) };
}
