"use client";

import { Suspense, useEffect, useEffectEvent, useMemo, useState } from "react";
import { shareButtonProps } from "@/components/drill-down/share/share-button-props";
import { PastBanner } from "@/components/grid/past/past-banner";
import { boardThen } from "@/components/grid/past/words";
import { Key, KeysFooter, ListKeys } from "@/components/list/keys-footer";
import { isHandledElsewhere } from "@/components/list/is-handled-elsewhere";
import { useZone } from "@/components/shell/time/zone";
import { SilenceBanner } from "@/components/shell/trouble/silence-banner";
import { Button } from "@/components/ui/button";
import { NothingMatches } from "@/components/ui/empty";
import { lazyPart } from "@/components/ui/lazy-part";
import { popupButton } from "@/components/ui/popup-button";
import type { PartnerShown } from "@/lib/client/queries/partners/partners-query";
import { useNow } from "@/lib/client/use-now";
import { noHistoryText } from "@/lib/domain/words/then-and-now";
import { CustomerTable } from "./customer-table";
import { EvidenceLine } from "./evidence-line";
import { FleetSection } from "./fleet-section";
import { OnTimeList } from "./on-time-list";
import { usePartnerHere } from "./partner-here";
import { PartnerLead } from "./partner-lead";
import { foot, page as words } from "./words";

const ActResult = lazyPart(() => import("./act-result"), null);
const TellEveryone = lazyPart(() => import("./tell-everyone"));
const Share = popupButton("dialog", () => import("./partner-share"));
const KeysDialog = lazyPart(() => import("./partner-keys-dialog"));

/** Of a row, by the key that presses them. */
const BUTTONS = new Map([
  ["a", "[data-take]"],
  ["c", "[data-copy]"],
]);

/** A partner at all customers of a person. */
export function PartnerEverywhere() {
  const here = usePartnerHere();
  const { received, isOld, partner, refused, silence, isSilent, isPast } = here;
  // What our server no longer answers must not stand there as current.
  const isGone = refused !== null && !isPast;
  const view = isGone ? null : (received?.view ?? null);
  return (
    <div className={isOld ? "above-keys pe-old" : "above-keys"}>
      <SilenceBanner silence={silence} receivedMs={received?.receivedMs ?? null} />
      {isPast ? <Then /> : null}
      {view === null ? (
        <header className="pe-lead">
          <h1>{partner}</h1>
        </header>
      ) : (
        <Loaded view={view} />
      )}
      {view === null && !isPast ? (
        <p className="pe-note" role="status">
          {isGone ? words.gone : isSilent ? words.notLoaded : words.loading}
        </p>
      ) : null}
    </div>
  );
}

function Loaded({ view }: { view: PartnerShown }) {
  const { state, setState, frozenMs, isPast, isOld, customers, handlesAny, nameOf, partner } =
    usePartnerHere();
  const [isTelling, setIsTelling] = useState(false);
  const [showsKeys, setShowsKeys] = useState(false);
  const { show } = state;
  const rows = useMemo(
    () =>
      show === null
        ? view.trouble
        : show === "on_time"
          ? []
          : view.trouble.filter(({ standing }) => standing === show),
    [view, show],
  );
  const cut = show === "on_time" ? 0 : view.cut.trouble;
  useKeys(() => setShowsKeys(true));
  const hasRows = rows.length + cut > 0;
  const hasOnTime = view.counts.on_time > 0 && (show === null || show === "on_time");
  return (
    <>
      <PartnerLead view={view}>
        {isPast || view.counts.behind === 0 ? null : (
          <Button onClick={() => setIsTelling(true)}>{words.tell}</Button>
        )}
        {isOld || isPast ? null : (
          <Share {...shareButtonProps()} view={view} customers={customers} frozenMs={frozenMs} />
        )}
      </PartnerLead>
      <EvidenceLine view={view} isPast={isPast} />
      {view.never_checked.length === 0 ? null : (
        <p className="pe-note">{words.neverChecked(view.never_checked.map(nameOf), isPast)}</p>
      )}
      {view.fleet_incident === null ? null : (
        <FleetSection view={view} fleet={view.fleet_incident} />
      )}
      {hasRows ? <CustomerTable view={view} rows={rows} cut={cut} /> : null}
      {hasOnTime ? <OnTimeList view={view} /> : null}
      {hasRows || hasOnTime || show === null ? null : (
        <NothingMatches show={words.showAll} onShowAll={() => setState({ show: null })}>
          {words.noneNow}
        </NothingMatches>
      )}
      <KeysFooter
        label={foot.keys}
        summary={foot.said(view.counts, frozenMs !== null)}
        all={foot.all}
        onHelp={() => setShowsKeys(true)}
      >
        <ListKeys move={foot.move} open={foot.open} />
        {handlesAny ? (
          <span>
            <Key>A</Key> {foot.take}
          </span>
        ) : null}
        <span>
          <Key>C</Key> {foot.copy}
        </span>
      </KeysFooter>
      <Suspense>
        <ActResult />
      </Suspense>
      <Suspense>
        {showsKeys ? (
          <KeysDialog without={handlesAny ? [] : ["A"]} onClose={() => setShowsKeys(false)} />
        ) : null}
        {isTelling ? (
          <TellEveryone
            partner={partner}
            name={view.partner_name}
            nameOf={nameOf}
            onClose={() => setIsTelling(false)}
          />
        ) : null}
      </Suspense>
    </>
  );
}

/** A acknowledges the incident of the focused row, C copies its paragraph, ? shows all shortcuts. */
function useKeys(onHelp: () => void) {
  const onKey = useEffectEvent((event: KeyboardEvent) => {
    // Chrome's autofill sends a keydown without a key.
    if (typeof event.key !== "string" || event.defaultPrevented || isHandledElsewhere(event))
      return;
    if (event.key === "?") return onHelp();
    const button = BUTTONS.get(event.key.toLowerCase());
    if (button === undefined || event.repeat) return;
    document.activeElement
      ?.closest("[data-line]")
      ?.querySelector<HTMLButtonElement>(button)
      ?.click();
  });
  useEffect(() => {
    const listener = (event: KeyboardEvent) => onKey(event);
    document.addEventListener("keydown", listener);
    return () => document.removeEventListener("keydown", listener);
  }, []);
}

/** That this is the past. */
function Then() {
  const { atMs, refused, isUnrecorded, received, isOld, setState } = usePartnerHere();
  const timeZone = useZone();
  const noHistory = useNow((nowMs) => noHistoryText(atMs ?? Number.NaN, nowMs, timeZone));
  const problem = (isAhead: boolean) => {
    if (isUnrecorded) return noHistory;
    if (refused === 404) return words.goneThen;
    if (refused === 400) return isAhead ? boardThen.ahead : words.refused;
    return received === null || isOld ? words.loadingThen : "";
  };
  return <PastBanner atMs={atMs} problem={problem} onBack={() => setState({ at: null })} />;
}
