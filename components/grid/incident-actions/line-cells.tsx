import type { ComponentProps } from "react";
import { calledName, Initials, NO_ONE_YET, whoIsOn } from "@/components/marks/on-it";
import { useGivenIncidents } from "@/components/marks/open-incidents";
import { useIsQuiet } from "@/components/quiet/quiet-marks";
import { useLiveCompany } from "@/components/shell/live-company";
import type { SyncStatusRow } from "@/lib/contracts/dashboard";
import { useLineActs, type LineActs } from "./acts-context";
import { TakeButton, TellButton } from "./line-buttons";
import { actWords as words } from "./words";

/**
 * Who is on a feed that needs attention, and what can be done about it, in two cells. Empty while nothing is known of
 * incidents.
 */
export function LineCells({ row, lineKey }: { row: SyncStatusRow; lineKey: string }) {
  const { confidence } = useLiveCompany();
  const acts = useLineActs();
  const { isKnown, ofEndpoint } = useGivenIncidents();
  const isQuiet = useIsQuiet({ id: row.id, partner: row.partner_name });
  const incident = ofEndpoint.get(row.id);
  const who = whoIsOn(incident?.acknowledged ?? null);
  const what = `${row.partner_name} / ${row.endpoint_key}`;
  const isLive = confidence !== "blind";
  return (
    <>
      <span role="gridcell" className="cell-who">
        {incident === undefined ? (
          isKnown ? (
            <span className="text-xs text-ink-3">{isQuiet ? words.quiet : words.noIncident}</span>
          ) : null
        ) : (
          <>
            <Initials person={who} />
            <span className={who === null ? "font-medium text-ink" : who.isYou ? "text-ink" : ""}>
              {who === null ? NO_ONE_YET : calledName(who)}
            </span>
          </>
        )}
      </span>
      <span role="gridcell" className="cell-acts">
        {acts !== null && incident !== undefined && who === null && acts.mayHandle && isLive ? (
          <LineTake
            acts={acts}
            what={what}
            state={`${row.id}/${incident.id}`}
            onTake={() => acts.onTake(lineKey)}
          />
        ) : null}
        {acts === null ? null : (
          <TellButton
            what={what}
            toldAt={incident?.told_at ?? null}
            onTell={() => acts.onTell(row.partner_name)}
          />
        )}
      </span>
    </>
  );
}

function LineTake({
  acts,
  ...rest
}: { acts: LineActs } & Omit<ComponentProps<typeof TakeButton>, "isBusy">) {
  return <TakeButton {...rest} isBusy={acts.busy.use()} />;
}
