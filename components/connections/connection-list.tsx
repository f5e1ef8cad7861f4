"use client";

import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { ConfidenceIcon } from "@/components/shell/confidence-icon";
import { useZone } from "@/components/shell/time/zone";
import { Link } from "@/components/ui/link";
import { ListTable } from "@/components/ui/list-table";
import { ApiError, statusOf } from "@/lib/client/api";
import { checkConnection } from "@/lib/client/queries/connections";
import { useNow, useServerClock } from "@/lib/client/use-now";
import type { ConnectionView } from "@/lib/contracts/connections";
import { confidenceNow } from "@/lib/domain/confidence";
import { instantMs } from "@/lib/domain/time/instant";
import {
  CHECK,
  CONNECTIONS,
  NO_TOKEN,
  checkLabel,
  checkText,
  checking,
  checksTexts,
  errorTexts,
  gapText,
  lastSuccessText,
  listHead,
  notChecked,
  requestsText,
  said,
  scopesText,
  tokenTexts,
  viewText,
} from "./words";

/** Where a check that somebody asked for stands. `sinceMs`: epoch milliseconds on the server's clock. */
type Checking =
  | { state: "none" }
  | { state: "under_way"; sinceMs: number }
  /** What came of it, as a sentence of that time. */
  | { state: "done"; text: string };

const COLUMNS = 9;

/** Connections, one row each. */
export function ConnectionList({ connections }: { connections: readonly ConnectionView[] }) {
  const [saidText, setSaid] = useState("");
  return (
    <ListTable
      label={CONNECTIONS}
      className="settings-list connections"
      columns={[
        listHead.connection,
        listHead.view,
        listHead.token,
        listHead.scopes,
        listHead.requests,
        listHead.checks,
        listHead.lastSuccess,
        listHead.lastError,
      ]}
      acts={listHead.action}
      said={saidText}
    >
      {connections.map((connection) => (
        <Row key={connection.slug} connection={connection} onSaid={setSaid} />
      ))}
    </ListTable>
  );
}

function Row({
  connection,
  onSaid,
}: {
  connection: ConnectionView;
  onSaid: (text: string) => void;
}) {
  const { slug, name, host, token, scopes } = connection;
  const timeZone = useZone();
  const client = useQueryClient();
  const clock = useServerClock();
  const [checked, setChecked] = useState<Checking>({ state: "none" });
  const ask = async () => {
    if (checked.state === "under_way") return;
    const sinceMs = clock.nowMs();
    setChecked({ state: "under_way", sinceMs });
    onSaid(checking(0));
    let text: string;
    try {
      text = checkText(await checkConnection(slug), { nowMs: clock.nowMs(), timeZone });
    } catch (error) {
      const after = error instanceof ApiError ? error.retryAfterSeconds : null;
      text = notChecked(statusOf(error), after);
    }
    setChecked({ state: "done", text });
    onSaid(said(name, text));
    // A token may have been renewed by it.
    await client.invalidateQueries({ queryKey: ["connections"] });
  };
  const lastSuccessMs = instantMs(connection.last_success_at);
  const confidence = useNow((nowMs) => confidenceNow(connection, nowMs));
  const view = useNow((nowMs) => viewText(confidence, lastSuccessMs, { nowMs, timeZone }));
  const tokenText = useNow((nowMs) => tokenTexts(token, { nowMs, timeZone })?.join("\n") ?? "");
  const checks = useNow((nowMs) => checksTexts(connection, { nowMs }).join("\n"));
  const lastSuccess = useNow((nowMs) => lastSuccessText(lastSuccessMs, { nowMs, timeZone }));
  const [until, renewed] = tokenText.split("\n");
  const [rhythm, next] = checks.split("\n");
  const isBad = confidence === "blind" && connection.reason !== "starting";
  const row = (
    <tr className={isBad ? "is-bad" : undefined}>
      <th scope="row" className="connection-name">
        <Link href={`/${slug}`} dir="auto">
          {name}
        </Link>
        <small>{host}</small>
      </th>
      <td className="connection-view">
        <ConfidenceIcon confidence={confidence} /> {isBad ? <b>{view}</b> : view}
      </td>
      <td className="connection-token">
        {tokenText === "" ? NO_TOKEN : until}
        {renewed === undefined ? null : <small>{renewed}</small>}
      </td>
      <td className="connection-scopes">{scopesText(scopes)}</td>
      <td className="connection-requests">{requestsText(connection.requests_per_minute)}</td>
      <td className="connection-checks">
        {rhythm}
        {next === "" ? null : <small>{next}</small>}
      </td>
      <td className="connection-success">{lastSuccess}</td>
      <td className="connection-error">
        <LastError connection={connection} />
      </td>
      <td className="connection-check">
        <CheckButton name={name} checked={checked} onAsk={() => void ask()} />
      </td>
    </tr>
  );
  if (checked.state !== "done") return row;
  return (
    <>
      {row}
      <tr className="settings-result">
        <td colSpan={COLUMNS}>{checked.text}</td>
      </tr>
    </>
  );
}

function LastError({ connection }: { connection: ConnectionView }) {
  const timeZone = useZone();
  const { last_gap: gap } = connection;
  const current = useNow((nowMs) => errorTexts(connection, { nowMs, timeZone })?.join("\n") ?? "");
  const past = useNow((nowMs) => (gap === null ? "" : gapText(gap, { nowMs, timeZone })));
  if (current === "") return past === "" ? null : <span className="text-ink-2">{past}</span>;
  const [sentence, age] = current.split("\n");
  return (
    <>
      {sentence}
      <small>{age}</small>
    </>
  );
}

/** @param onAsk asks the API of a company now; does nothing while that is under way */
function CheckButton({
  name,
  checked,
  onAsk,
}: {
  name: string;
  checked: Checking;
  onAsk: () => void;
}) {
  const isUnderWay = checked.state === "under_way";
  const text = useNow((nowMs) =>
    isUnderWay ? checking(Math.max(0, Math.floor((nowMs - checked.sinceMs) / 1000))) : CHECK,
  );
  return (
    <button
      type="button"
      className="settings-act connection-button"
      aria-label={checkLabel(name)}
      // Not disabled: the focus stays where it is.
      aria-disabled={isUnderWay}
      onClick={onAsk}
    >
      {text}
    </button>
  );
}
