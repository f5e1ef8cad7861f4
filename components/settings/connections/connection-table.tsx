import { useQueryClient } from "@tanstack/react-query";
import { DataTable } from "@/components/resource/data-table";
import { useRowAction } from "@/components/resource/use-row-action";
import { refusedFor } from "@/components/session/refused";
import { useZone } from "@/components/shell/time/zone";
import { MenuButton } from "@/components/ui/menu-button";
import { ApiError, statusOf } from "@/lib/client/api";
import { checkConnection } from "@/lib/client/queries/connections/connections";
import { useNow, useServerClock } from "@/lib/client/use-now";
import type { ConnectionView } from "@/lib/contracts/connections";
import type { OpenDialog } from "./change-dialogs";
import { actsOf } from "./change-draft";
import { actions, MORE, moreLabel, type RowAct } from "./change-words";
import { CONNECTION_COLUMNS } from "./connection-columns";
import { BLIND, ranksOf, sameNumbers } from "./ranks";
import * as words from "./words";

/**
 * Connections as a table, with what can be done with each.
 * @param onProve asks for a recent sign-in
 * @param onAct opens the dialog of an action
 */
export function ConnectionTable({
  connections,
  onProve,
  onAct,
}: {
  connections: readonly ConnectionView[];
  onProve: (dialog: OpenDialog | null) => void;
  onAct: (act: RowAct, connection: ConnectionView) => void;
}) {
  const timeZone = useZone();
  const client = useQueryClient();
  const clock = useServerClock();
  const checks = useRowAction();
  const ranks = useNow((nowMs) => ranksOf(connections, nowMs), sameNumbers);
  const check = async (slug: string): Promise<string> => {
    try {
      return words.checkText(await checkConnection(slug), { nowMs: clock.nowMs(), timeZone });
    } catch (error) {
      const refused = refusedFor(error, checkProblemOf);
      if (refused !== "needs-reauthentication") return refused.problem;
      const isProven = await new Promise<boolean>((resolve) =>
        onProve({
          kind: "proof",
          onProven: () => resolve(true),
          onBack: () => resolve(false),
        }),
      );
      onProve(null);
      return isProven ? check(slug) : "";
    } finally {
      // The check may have renewed a token.
      void client.invalidateQueries({ queryKey: ["connections"] });
    }
  };
  return (
    <DataTable
      label={words.CONNECTIONS}
      className="md:[&_.is-bad>*]:bg-bg"
      rows={connections}
      keyOf={({ slug }) => slug}
      toneOf={(connection) => (ranks[connections.indexOf(connection)] === BLIND ? "bad" : "")}
      result={({ slug }) => checks.resultOf(slug)}
      said={checks.said}
      columns={[
        ...CONNECTION_COLUMNS,
        {
          title: words.listHead.action,
          width: "w-[150px]",
          phone: "1 end",
          isActions: true,
          cell: (connection) => {
            const { slug, name } = connection;
            return (
              <>
                <CheckButton
                  name={name}
                  sinceMs={checks.runningSince(slug)}
                  onCheck={() =>
                    void checks.run(
                      slug,
                      words.checking(0),
                      () => check(slug),
                      (text) => words.said(name, text),
                    )
                  }
                />
                <MoreActions connection={connection} onAct={onAct} />
              </>
            );
          },
        },
      ]}
    />
  );
}

/** @param sinceMs start of the running check, on the server's clock; null: none is running */
function CheckButton({
  name,
  sinceMs,
  onCheck,
}: {
  name: string;
  sinceMs: number | null;
  onCheck: () => void;
}) {
  const text = useNow((nowMs) =>
    sinceMs === null
      ? words.CHECK
      : words.checking(Math.max(0, Math.floor((nowMs - sinceMs) / 1000))),
  );
  return (
    <button
      type="button"
      className="settings-act max-md:-my-1.5!"
      aria-label={words.checkLabel(name)}
      // Not disabled: that would move the focus.
      aria-disabled={sinceMs !== null}
      onClick={onCheck}
    >
      {text}
    </button>
  );
}

/** What else can be done with a connection: nothing with one that is configured elsewhere. */
function MoreActions({
  connection,
  onAct,
}: {
  connection: ConnectionView;
  onAct: (act: RowAct, connection: ConnectionView) => void;
}) {
  const acts = actsOf(connection);
  if (acts.length === 0) return null;
  return (
    <MenuButton
      label={moreLabel(connection.name)}
      className="settings-act ml-3 max-md:-my-1.5!"
      align="end"
      items={acts.map((act) => ({
        kind: "action",
        key: act,
        label: actions[act],
        onSelect: () => onAct(act, connection),
      }))}
    >
      {MORE}
    </MenuButton>
  );
}

function checkProblemOf(error: unknown): string {
  const after = error instanceof ApiError ? error.retryAfterSeconds : null;
  return words.notChecked(statusOf(error), after);
}
