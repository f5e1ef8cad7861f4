"use client";

import { Combobox } from "@base-ui/react/combobox";
import { useMemo, useState } from "react";
import { matchRank } from "@/lib/domain/text/match";
import { useServerClock } from "@/lib/client/use-now";
import { needlesOf } from "@/lib/domain/text/fold-text";
import { zoneChoices, type ZoneChoice } from "@/lib/domain/time/zones";
import {
  ZONE_BUTTON,
  ZoneButtonContent,
  zoneLabel,
  type ZoneButtonProps,
} from "./zone-button-content";
import { zonePicker } from "./words";

/** Maximum number of results. */
const MAX_SHOWN = 60;

/**
 * The list of `ZoneButton`, initially open. Default export for `lazyPart`.
 * @param takeEarly returns text typed before it was loaded
 */
export default function ZonePicker({
  label,
  value,
  own,
  onChange,
  className,
  takeEarly,
}: ZoneButtonProps & { takeEarly: () => string }) {
  const clock = useServerClock();
  const [query, setQuery] = useState(takeEarly);
  const [landmark, setLandmark] = useState<HTMLElement | null>(null);
  // Zone names are those at the moment when the list was first opened.
  const [openedMs] = useState(() => clock.nowMs());
  const all = useMemo(
    () => zoneChoices([own, value], Intl.supportedValuesOf("timeZone"), openedMs),
    [own, value, openedMs],
  );
  const found = useMemo(() => findZones(all, query), [all, query]);
  const chosen = all.find(({ zone }) => zone === value) ?? null;
  return (
    <Combobox.Root
      defaultOpen
      items={found}
      filter={null}
      autoHighlight
      value={chosen}
      inputValue={query}
      onInputValueChange={setQuery}
      onOpenChange={(isOpen) => {
        if (isOpen) setQuery("");
      }}
      onValueChange={(choice: ZoneChoice | null) => {
        if (choice !== null) onChange(choice.zone);
      }}
      itemToStringLabel={({ city }: ZoneChoice) => city}
      isItemEqualToValue={(a: ZoneChoice, b: ZoneChoice) => a.zone === b.zone}
    >
      <Combobox.Trigger
        // A list outside of the page's landmarks would be missing from its outline.
        ref={(trigger: HTMLElement | null) => setLandmark(trigger?.closest("main") ?? null)}
        aria-label={zoneLabel(label, value)}
        className={`${ZONE_BUTTON} ${className}`}
      >
        <ZoneButtonContent value={value} />
      </Combobox.Trigger>
      <Combobox.Portal container={landmark} className="absolute">
        <Combobox.Positioner
          align="start"
          sideOffset={4}
          // As of a menu: a choice may make the page longer, whose end the portal is at.
          positionMethod="fixed"
          className="z-40 outline-none"
        >
          <Combobox.Popup
            aria-label={label}
            className="flex max-h-[min(360px,var(--available-height))] w-[340px] max-w-[calc(100vw-28px)] flex-col rounded border border-ink bg-surface text-sm outline-none"
          >
            <Combobox.Input
              aria-label={zonePicker.label}
              placeholder={zonePicker.placeholder}
              className="h-10 w-full shrink-0 border-b border-line-strong bg-transparent px-3 outline-none placeholder:text-ink-3 max-sm:h-11"
            />
            <Combobox.Empty>
              <p className="px-3 py-4 text-ink-2 empty:hidden">
                {found.length === 0 ? zonePicker.none : null}
              </p>
            </Combobox.Empty>
            <Combobox.List className="min-h-0 overflow-y-auto overscroll-contain py-1 empty:hidden">
              {(choice: ZoneChoice) => (
                <Combobox.Item
                  key={choice.zone}
                  value={choice}
                  className="flex min-h-8 items-center gap-3 px-3 outline-none select-none data-highlighted:bg-row-hover data-highlighted:[box-shadow:inset_2px_0_0_var(--ink)] data-selected:font-medium max-sm:min-h-11"
                >
                  <span className="shrink-0">{choice.city}</span>
                  <span className="ml-auto truncate text-xs text-ink-3">{choice.names}</span>
                </Combobox.Item>
              )}
            </Combobox.List>
          </Combobox.Popup>
        </Combobox.Positioner>
      </Combobox.Portal>
    </Combobox.Root>
  );
}

function findZones(all: readonly ZoneChoice[], query: string): ZoneChoice[] {
  const needles = needlesOf(query);
  if (needles.length === 0) return all.slice(0, MAX_SHOWN);
  return all
    .flatMap((choice) => {
      // "est" ranks EST above part of Bucharest.
      const rank = matchRank(needles, `${choice.foldedCity} ${choice.foldedOthers}`, "");
      return rank === null ? [] : [{ choice, rank }];
    })
    .toSorted((a, b) => a.rank - b.rank)
    .slice(0, MAX_SHOWN)
    .map(({ choice }) => choice);
}
