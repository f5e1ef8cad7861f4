import { useQueryClient, type QueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { acknowledgeWords as words } from "@/components/grid/words";
import { calledName, whoIsOn } from "@/components/marks/on-it";
import { openIncidentsOf } from "@/components/marks/open-incidents";
import { useLiveCompany } from "@/components/shell/live-company";
import { Button } from "@/components/ui/button";
import { statusOf } from "@/lib/client/api";
import { actOn, type Act } from "@/lib/client/queries/incident";
import { openIncidentsQuery } from "@/lib/client/queries/incidents";
import type { Incident } from "@/lib/contracts/incidents";

/** What the shortcut did. */
export type Result = {
  sentence: string;
  /** The incident that was acknowledged. */
  taken: Incident | null;
};

/**
 * Acknowledges the open incident of a line's endpoint or partner for the signed-in person. Never
 * throws: failures are part of the result.
 * @param line "row:<endpoint id>" or "partner:<name>"; other lines have no incident
 */
export async function acknowledge(
  client: QueryClient,
  company: string,
  line: string,
): Promise<Result> {
  const open = await client
    .ensureQueryData(openIncidentsQuery(company))
    .then(openIncidentsOf, () => null);
  if (open === null) return { sentence: words.notKnown, taken: null };
  const kind = line.slice(0, line.indexOf(":"));
  const of = line.slice(kind.length + 1);
  const byKind = new Map([
    ["row", open.ofEndpoint],
    ["partner", open.ofPartner],
  ]);
  const incident = byKind.get(kind)?.get(of);
  if (incident === undefined) return { sentence: words.none, taken: null };
  const say = (sentence: string) => words.of(incident.partner_name, sentence);
  const who = whoIsOn(incident.acknowledged);
  if (who !== null) {
    const sentence = who.isYou ? words.already : words.other(calledName(who));
    return { sentence: say(sentence), taken: null };
  }
  const taken = { sentence: say(words.taken), taken: incident };
  return act(client, company, incident, { kind: "acknowledge", until: null, note: "" }, taken);
}

/** @param done the result on success */
async function act<Done>(
  client: QueryClient,
  company: string,
  incident: Incident,
  what: Act,
  done: Done,
): Promise<Done | Result> {
  try {
    await actOn(client, company, incident.id, what);
    return done;
  } catch (error) {
    const status = statusOf(error);
    const sentence =
      status === 409 ? words.conflict : status === 403 ? words.forbidden : words.failed;
    return { sentence: words.of(incident.partner_name, sentence), taken: null };
  }
}

/** Reports the result of the acknowledge key, with an undo. */
export function AcknowledgeResult({
  result,
  onResult,
}: {
  result: Result;
  onResult: (result: Result | null) => void;
}) {
  const { slug } = useLiveCompany();
  const client = useQueryClient();
  const [isBusy, setIsBusy] = useState(false);
  const { taken } = result;
  const takeBack = async (incident: Incident) => {
    setIsBusy(true);
    onResult(await act(client, slug, incident, { kind: "unacknowledge" }, null));
    setIsBusy(false);
  };
  return (
    <>
      {result.sentence}
      {taken === null ? null : (
        <Button disabled={isBusy} onClick={() => void takeBack(taken)}>
          {words.undo}
        </Button>
      )}
    </>
  );
}
