import { useQueryClient, type QueryClient } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { acknowledgeWords as words } from "@/components/grid/words";
import { calledName, whoIsOn } from "@/components/marks/on-it";
import { openIncidentsOf, type OpenIncident } from "@/components/marks/open-incident";
import { Button } from "@/components/ui/button";
import { statusOf } from "@/lib/client/api";
import { actOn, type Act } from "@/lib/client/queries/incident";
import { openIncidentsQuery } from "@/lib/client/queries/incidents";

/** How long the result is shown and can be undone. */
const RESULT_MS = 10_000;

/** An incident to act on. `name`: of its partner, or of the line that it is in. */
export type ActedOn = { company: string; id: number; name: string };

/** What an act did. */
export type Result = {
  sentence: string;
  /** The incidents that were acknowledged. */
  taken: readonly ActedOn[];
  /** Takes it back otherwise than one by one; resolves to why it couldn't, or null. */
  undo?: () => Promise<string | null>;
};

const nothing = (sentence: string): Result => ({ sentence, taken: [] });

/**
 * Acknowledges the open incident of a line's endpoint or partner for the signed-in person. Never
 * throws: failures are part of the result.
 * @param line "row:<endpoint id>", "again:<endpoint id>" or "partner:<name>"; other lines have no incident
 */
export async function acknowledge(
  client: QueryClient,
  company: string,
  line: string,
): Promise<Result> {
  const open = await client.ensureQueryData(openIncidentsQuery(company)).then(
    ({ view }) => openIncidentsOf(view),
    () => null,
  );
  if (open === null) return nothing(words.notKnown);
  const kind = line.slice(0, line.indexOf(":"));
  const of = line.slice(kind.length + 1);
  const byKind = new Map<string, ReadonlyMap<string, OpenIncident>>([
    ["row", open.ofEndpoint],
    ["again", open.ofEndpoint],
    ["partner", open.ofPartner],
  ]);
  const incident = byKind.get(kind)?.get(of);
  if (incident === undefined) return nothing(words.none);
  const { id, partner_name: name } = incident;
  const who = whoIsOn(incident.acknowledged);
  if (who !== null)
    return nothing(words.of(name, who.isYou ? words.already : words.other(calledName(who))));
  return acknowledgeAll(client, [{ company, id, name }]);
}

/** Acknowledges incidents, at least one, of one name. Never throws. */
export async function acknowledgeAll(
  client: QueryClient,
  incidents: readonly ActedOn[],
): Promise<Result> {
  const act: Act = { kind: "acknowledge", until: null, note: "" };
  const { done, sentence } = await actOnAll(client, incidents, act);
  return { sentence: sentence ?? words.of(incidents[0]?.name ?? "", words.taken), taken: done };
}

/** @returns those that succeeded; `sentence`: why others didn't, null if all did */
async function actOnAll(client: QueryClient, incidents: readonly ActedOn[], act: Act) {
  const outcomes = await Promise.all(
    incidents.map(async (incident) => {
      try {
        await actOn(client, incident.company, incident.id, act);
        return { incident, problem: null };
      } catch (error) {
        return { incident, problem: words.of(incident.name, problemOf(statusOf(error))) };
      }
    }),
  );
  return {
    done: outcomes.flatMap(({ incident, problem }) => (problem === null ? [incident] : [])),
    sentence: outcomes.find(({ problem }) => problem !== null)?.problem ?? null,
  };
}

function problemOf(status: number): string {
  if (status === 409) return words.conflict;
  return status === 403 ? words.forbidden : words.failed;
}

/** Reports the result of an act for a while, with an undo. @param result null: nothing to report */
export function ResultBar({
  result,
  onResult,
}: {
  result: Result | null;
  onResult: (result: Result | null) => void;
}) {
  const client = useQueryClient();
  const [isBusy, setIsBusy] = useState(false);
  useEffect(() => {
    if (result === null) return;
    const timer = setTimeout(() => onResult(null), RESULT_MS);
    return () => clearTimeout(timer);
  }, [result, onResult]);
  const takeBack = async ({ taken, undo }: Result) => {
    setIsBusy(true);
    const sentence =
      undo === undefined
        ? (await actOnAll(client, taken, { kind: "unacknowledge" })).sentence
        : await undo();
    onResult(sentence === null ? null : nothing(sentence));
    setIsBusy(false);
  };
  return (
    <div className="fixed bottom-10 left-6 z-10 max-w-[calc(100vw-28px)] max-sm:bottom-3.5 max-sm:left-3.5">
      <p
        role="status"
        className="flex min-h-11 items-center gap-4 border border-ink bg-bg px-4 empty:hidden"
      >
        {result === null ? null : result.sentence}
        {result === null || (result.taken.length === 0 && result.undo === undefined) ? null : (
          <Button isBusy={isBusy} onClick={() => void takeBack(result)}>
            {words.undo}
          </Button>
        )}
      </p>
    </div>
  );
}
