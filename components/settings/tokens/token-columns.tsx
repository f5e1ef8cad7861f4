import type { Column } from "@/components/resource/data-table";
import { When } from "@/components/resource/when";
import { useZone } from "@/components/shell/time/zone";
import { useNow } from "@/lib/client/use-now";
import type { TokenEntry } from "@/lib/contracts/tokens";
import { DAY_MS } from "@/lib/domain/time/units";
import { dayAndMonth, dayMonthYear, weekdayAndDate } from "@/lib/domain/words/dates";
import { absoluteTime } from "@/lib/domain/words/format";
import * as words from "./words";

const { listHead } = words;
/** An expiry this close has its distance. */
const NEAR_MS = 15 * DAY_MS;
/** This close, it is emphasized. */
export const SOON_MS = 7 * DAY_MS;

export const tokenColumns: readonly Column<TokenEntry>[] = [
  {
    title: listHead.name,
    width: "w-[17%]",
    phone: "1 start",
    isHeader: true,
    cell: ({ name, state }) => (
      <>
        <bdi>{name}</bdi>
        <State state={state} />
      </>
    ),
  },
  {
    title: listHead.token,
    width: "w-[10%]",
    phone: "3 start quiet",
    className: "font-mono text-xs",
    cell: ({ hint }) => words.hintText(hint),
  },
  { title: listHead.scope, width: "w-[12%]", phone: "2 start quiet", cell: words.scopeText },
  {
    title: listHead.companies,
    width: "w-[13%]",
    phone: "2 end quiet",
    cell: (token) => <bdi>{words.companiesText(token)}</bdi>,
  },
  {
    title: listHead.created,
    width: "w-[14%]",
    phone: "none",
    cell: (token) => <Created token={token} />,
  },
  {
    title: listHead.used,
    width: "w-[11%]",
    phone: "4 start small",
    isNumeric: true,
    isLabelled: ({ last_used_at: at }) => at !== null,
    cell: ({ last_used_at: at, last_network: network }) => (
      <>
        <When at={at} none={words.NEVER} className={at === null ? "text-ink-3" : undefined} />
        {network === null ? null : <small className="text-ink-2">{network}</small>}
      </>
    ),
  },
  {
    title: listHead.expires,
    width: "w-[16%]",
    phone: "1 end",
    isLabelled: ({ state }) => state !== "expired",
    cell: (token) => <Expires token={token} />,
  },
];

function State({ state }: Pick<TokenEntry, "state">) {
  const text = words.stateText(state);
  return text === null ? null : <small className="font-normal text-ink-2">{text}</small>;
}

function Created({ token }: { token: TokenEntry }) {
  const timeZone = useZone();
  const atMs = Date.parse(token.created_at);
  const { is_you: isYou, name } = token.person ?? token.made_by;
  return (
    <time dateTime={token.created_at} title={absoluteTime(atMs, timeZone)}>
      <bdi>{words.createdText(dayAndMonth(atMs, timeZone), isYou ? words.YOU : name)}</bdi>
    </time>
  );
}

/** When a token expires, with its distance shortly before; and when it will rest. */
function Expires({ token }: { token: TokenEntry }) {
  const timeZone = useZone();
  const { expires_at: at, rests_at: restsAt, state } = token;
  const endMs = Date.parse(at);
  const text = useNow((nowMs) => {
    const leftMs = endMs - nowMs;
    const isSoon = leftMs < SOON_MS && leftMs > 0;
    const day = isSoon ? weekdayAndDate(endMs, timeZone) : dayMonthYear(endMs, timeZone);
    return words.expiresText(
      day,
      leftMs < NEAR_MS ? words.distanceText(leftMs) : null,
      leftMs <= 0,
    );
  });
  const isSoon = useNow((nowMs) => endMs - nowMs < SOON_MS && state !== "expired");
  const rests = useNow((nowMs) => {
    const restsMs = restsAt === null ? Number.POSITIVE_INFINITY : Date.parse(restsAt);
    const isNear = state === "active" && restsMs < endMs && restsMs - nowMs < SOON_MS;
    return isNear ? words.restsSoon(dayAndMonth(restsMs, timeZone)) : "";
  });
  return (
    <>
      <time
        dateTime={at}
        title={absoluteTime(endMs, timeZone)}
        className={isSoon ? "font-strong" : undefined}
      >
        {text}
      </time>
      {rests === "" ? null : <small className="text-ink-2">{rests}</small>}
    </>
  );
}
