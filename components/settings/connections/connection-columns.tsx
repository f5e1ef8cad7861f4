import type { Column } from "@/components/resource/data-table";
import { ConfidenceIcon } from "@/components/marks/confidence-icon";
import { useZone } from "@/components/shell/time/zone";
import { Link } from "@/components/ui/link";
import { useNow } from "@/lib/client/use-now";
import type { ConnectionView } from "@/lib/contracts/connections";
import { confidenceNow } from "@/lib/domain/confidence";
import { instantMs } from "@/lib/domain/time/instant";
import * as words from "./words";

const { listHead } = words;

/** Columns of the connection list. */
export const CONNECTION_COLUMNS: readonly Column<ConnectionView>[] = [
  {
    title: listHead.connection,
    width: "w-[14%]",
    phone: "1 start",
    isHeader: true,
    className: "max-md:text-[14px]",
    cell: ({ slug, name, host, set_aside: aside }) => (
      <>
        <Link href={`/${slug}`} dir="auto">
          {name}
        </Link>
        <small>{host}</small>
        {aside === null ? null : (
          <small className="font-normal text-ink">{words.setAsideText(aside)}</small>
        )}
      </>
    ),
  },
  {
    title: listHead.view,
    width: "w-[12%]",
    phone: "2 start",
    cell: (connection) => <OurView connection={connection} />,
  },
  {
    title: listHead.owner,
    width: "w-[12%]",
    phone: "5 whole small",
    cell: ({ owner, origin }) => (
      <>
        <bdi>{owner?.name ?? words.ADMINISTRATORS}</bdi>
        <small>{words.ORIGIN_TEXT[origin]}</small>
      </>
    ),
  },
  {
    title: listHead.token,
    width: "w-[9%]",
    phone: "4 end small",
    isLabelled: true,
    cell: (connection) => <Token connection={connection} />,
  },
  {
    title: listHead.scopes,
    width: "w-[11%]",
    phone: "4 start small",
    cell: ({ scopes }) => words.scopesText(scopes),
  },
  {
    title: listHead.checks,
    width: "w-[10%]",
    phone: "2 end small",
    isNumeric: true,
    cell: (connection) => <Checks connection={connection} />,
  },
  {
    title: listHead.lastSuccess,
    width: "w-[8%]",
    phone: "none",
    cell: (connection) => <LastSuccess connection={connection} />,
  },
  {
    title: listHead.lastError,
    phone: "3 whole",
    cell: (connection) => <LastError connection={connection} />,
  },
];

type Cell = { connection: ConnectionView };

/** A text that depends on the current time, and an optional second line. */
function useLines(
  linesOf: (when: { nowMs: number; timeZone: string }) => readonly string[],
): readonly [first: string, second: string] {
  const timeZone = useZone();
  const text = useNow((nowMs) => linesOf({ nowMs, timeZone }).join("\n"));
  const [first = "", second = ""] = text.split("\n");
  return [first, second];
}

function OurView({ connection }: Cell) {
  const lastSuccessMs = instantMs(connection.last_success_at);
  const confidence = useNow((nowMs) => confidenceNow(connection, nowMs));
  const pausedMs = instantMs(connection.paused_at);
  const isBad = confidence === "blind" && pausedMs === null && connection.reason !== "starting";
  const [text] = useLines((when) => [
    words.viewText(confidence, lastSuccessMs, when, { pausedMs, reason: connection.reason }),
  ]);
  if (pausedMs !== null) return text;
  return (
    <span className="[&>svg]:mr-[7px] [&>svg]:inline-block [&>svg]:align-[-1px]">
      <ConfidenceIcon confidence={confidence} /> {isBad ? <b>{text}</b> : text}
    </span>
  );
}

function Token({ connection: { token } }: Cell) {
  const [until, renewed] = useLines((when) => words.tokenTexts(token, when) ?? [words.NO_TOKEN]);
  return (
    <>
      {until}
      {renewed === "" ? null : <small className="max-md:hidden">{renewed}</small>}
    </>
  );
}

function Checks({ connection }: Cell) {
  const [rhythm, next] = useLines((when) => words.checksTexts(connection, when));
  return (
    <>
      {rhythm}
      {next === "" ? null : <small>{next}</small>}
    </>
  );
}

function LastSuccess({ connection }: Cell) {
  const lastSuccessMs = instantMs(connection.last_success_at);
  return useLines((when) => [words.lastSuccessText(lastSuccessMs, when)])[0];
}

function LastError({ connection }: Cell) {
  const { last_gap: gap } = connection;
  const [sentence, age] = useLines((when) => words.errorTexts(connection, when) ?? []);
  const [past] = useLines((when) => (gap === null ? [] : [words.gapText(gap, when)]));
  if (sentence === "") return past === "" ? null : <span className="text-ink-2">{past}</span>;
  return (
    <>
      {sentence}
      <small>{age}</small>
    </>
  );
}
