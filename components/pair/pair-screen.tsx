"use client";

import { useQuery } from "@tanstack/react-query";
import { useEffect } from "react";
import { useMedia } from "@/components/ui/use-media";
import { ConfidenceIcon } from "@/components/marks/confidence-icon";
import { Logo } from "@/components/marks/logo";
import { useZone } from "@/components/shell/time/zone";
import { Link } from "@/components/ui/link";
import { WallClock } from "@/components/shell/time/wall-clock";
import { WallFrame } from "@/components/shell/wall-frame";
import { pairingQuery } from "@/lib/client/queries/pairing";
import { useNow, useServerClock } from "@/lib/client/use-now";
import { instantMs } from "@/lib/domain/time/instant";
import { groupedCode, timeLeft } from "@/lib/domain/pairing-code";
import { zoneName } from "@/lib/domain/time/zone-name";
import { clockTime, clockTimeWithSeconds, moment } from "@/lib/domain/words/format";
import { ALIVE } from "./guard";
import { QrCode } from "@/components/marks/qr-code";
import { NOT_PAIRED, PLUMBLINE, connection, notices, steps, terms } from "./words";

/** Polled every three seconds; including the request timeout, a longer silence means trouble. */
const SILENT_MS = 15_000;
/** Until the wall is reachable the screen stays here, instead of on a browser's error page. */
const OPEN_EVERY_MS = 3_000;

const PORTRAIT = "(orientation: portrait)";

/**
 * A screen waiting to be paired: its code, large, and where to type it. New codes appear
 * automatically, and the wall once the code was typed.
 * @param code from the server, by this screen's cookie; null when there is none (yet)
 * @param firstMs time of the server's response, epoch milliseconds on its clock
 * @param origin where people reach Plumbline
 * @param isPerson a person is signed in on this screen
 */
export function PairScreen({
  code: firstCode,
  firstMs,
  origin,
  theme,
  isPerson,
}: {
  code: string | null;
  firstMs: number;
  origin: string;
  theme: "dark" | "light";
  isPerson: boolean;
}) {
  const clock = useServerClock();
  const { data, isError } = useQuery(pairingQuery(clock));
  const answeredMs = data?.receivedMs ?? firstMs;
  const isSilent = useNow((nowMs) => nowMs - answeredMs > SILENT_MS) || isError;
  const shape = useMedia(PORTRAIT) ? "portrait" : "landscape";
  const view = data?.view;
  const isPaired = view?.state === "paired";

  useEffect(() => {
    (window as { [ALIVE]?: boolean })[ALIVE] = true;
  }, []);
  useEffect(() => (isPaired ? openWall() : undefined), [isPaired]);

  const endsMs = view?.state === "waiting" ? instantMs(view.expires_at) : null;
  const isOver = useNow((nowMs) => endsMs !== null && endsMs <= nowMs);
  const known = view === undefined ? firstCode : view.state === "waiting" ? view.code : null;
  const code = isOver ? null : known;
  return (
    <WallFrame theme={theme} shape={shape}>
      {/* oxlint-disable-next-line next/no-css-tags -- old browsers read no layers, as the bundle has them */}
      <link rel="stylesheet" href="/wall-pair.css" precedence="wall" />
      <header className="wall-head">
        <div className="wall-who pair-who">
          <h1>
            <Logo />
            {PLUMBLINE}
          </h1>
          <p>{NOT_PAIRED}</p>
        </div>
        <Time isSilent={isSilent} answeredMs={answeredMs} />
      </header>
      {isPaired ? (
        <Notice {...notices.paired} />
      ) : code === null ? (
        isSilent ? (
          <Notice {...notices.silent} />
        ) : (
          <Notice {...notices.starting} />
        )
      ) : (
        <main className="wall-main pair-main">
          <div className="pair-ask">
            <p className="pair-step">{steps.open}</p>
            <p className="pair-address">{new URL(origin).host}/settings/displays</p>
            <p className="pair-step">{steps.enter}</p>
            <Code code={code} />
            <p className="pair-next">
              <NextCode endsMs={endsMs} />
            </p>
            {isPerson ? (
              <p className="pair-next">
                {steps.here(<Link href="/settings/displays">{steps.hereLink}</Link>)}
              </p>
            ) : null}
          </div>
          <div className="pair-scan">
            <QrCode
              className="pair-qr"
              text={`${origin}/settings/displays?code=${code}`}
              label={steps.qrLabel}
            />
            <p>{steps.scan}</p>
          </div>
        </main>
      )}
      <footer className={`wall-foot is-${isSilent ? "blind" : "live"}`}>
        <p className="wall-state" role="status">
          <ConfidenceIcon confidence={isSilent ? "blind" : "live"} />
          <b>{isSilent ? <SilentSince answeredMs={answeredMs} /> : connection.here}</b>
        </p>
        {isSilent ? null : (
          <ul className="pair-terms">
            {terms.map(({ key, text }) => (
              <li key={key}>{text}</li>
            ))}
          </ul>
        )}
      </footer>
    </WallFrame>
  );
}

/** The clock; its seconds stop when responses stop. */
function Time({ isSilent, answeredMs }: { isSilent: boolean; answeredMs: number }) {
  const timeZone = useZone();
  const nowMs = useNow((ms) => Math.floor(ms / 1000) * 1000);
  const clock = {
    time: clockTime(nowMs, timeZone),
    seconds: clockTimeWithSeconds(nowMs, timeZone).slice(-3),
    zone: zoneName(nowMs, timeZone),
    instant: new Date(nowMs).toISOString(),
  };
  const beatMs = isSilent ? answeredMs : nowMs;
  return (
    <WallClock
      clock={clock}
      beat={{ second: Math.floor(beatMs / 1000) % 60, isAlive: !isSilent }}
    />
  );
}

function Notice({ title, sentence }: { title: string; sentence: string }) {
  return (
    <main className="wall-main is-notice">
      <div className="wall-hero" role="status">
        <h2>{title}</h2>
        <p>{sentence}</p>
      </div>
    </main>
  );
}

function Code({ code }: { code: string }) {
  const groups = groupedCode(code).split(" ");
  return (
    <p className="pair-code" role="status">
      <span className="sr-only">
        {steps.spoken(groups.map((group) => group.split("").join(" ")))}
      </span>
      {groups.map((group, place) => (
        <span key={place} className="pair-group" aria-hidden="true">
          {group}
        </span>
      ))}
    </p>
  );
}

/** @param endsMs null: unknown to this page so far */
function NextCode({ endsMs }: { endsMs: number | null }) {
  const left = useNow((nowMs) => (endsMs === null ? null : timeLeft(endsMs - nowMs)));
  return left === null ? steps.renews : steps.next(<b>{left}</b>);
}

function SilentSince({ answeredMs }: { answeredMs: number }) {
  const timeZone = useZone();
  const since = useNow((nowMs) => moment(answeredMs, nowMs, timeZone));
  return connection.lost(since);
}

/** Opens the wall once it is reachable. Returns a cancel function. */
function openWall(): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const stopping = new AbortController();
  const attempt = async () => {
    const wall = await fetch("/wall", { cache: "no-store", signal: stopping.signal }).catch(
      () => null,
    );
    if (stopping.signal.aborted) return;
    if (wall?.ok === true) window.location.replace("/wall");
    else timer = setTimeout(() => void attempt(), OPEN_EVERY_MS);
  };
  void attempt();
  return () => {
    stopping.abort();
    clearTimeout(timer);
  };
}
