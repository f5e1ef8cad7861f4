"use client";

import { lazy, Suspense, useRef, useState } from "react";
import { zoneCity } from "@/lib/domain/zone-name";

const loadPicker = () => import("./zone-picker");
const ZonePicker = lazy(loadPicker);

export type ZoneButtonProps = {
  /** Accessible name, before the zone's. */
  label: string;
  /** IANA name of the zone that holds. */
  value: string;
  /** The person's own, which is offered first. */
  own: string;
  onChange: (zone: string) => void;
  className: string;
};

/**
 * A button that shows a zone by its city and lets another one be found, by city or by the names that people use.
 * The list comes when somebody is about to open it; until then the button looks and answers the same.
 */
export function ZoneButton(props: ZoneButtonProps) {
  const { label, value, className } = props;
  const [isWanted, setIsWanted] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  const open = () => setIsWanted(true);
  const plain = (
    <button
      ref={button}
      type="button"
      aria-label={zoneLabel(label, value)}
      aria-haspopup="dialog"
      aria-expanded="false"
      className={`${ZONE_BUTTON} ${className}`}
      onPointerEnter={() => void loadPicker()}
      onFocus={() => void loadPicker()}
      onClick={open}
      onKeyDown={(event) => {
        if (event.key !== "ArrowDown") return;
        event.preventDefault();
        open();
      }}
    >
      <ZoneFace value={value} />
    </button>
  );
  if (!isWanted) return plain;
  return (
    <Suspense fallback={plain}>
      <ZonePicker {...props} />
    </Suspense>
  );
}

export const ZONE_BUTTON =
  "flex min-w-0 items-center justify-between gap-2 rounded border border-control bg-surface text-left text-ink";

export function zoneLabel(label: string, zone: string): string {
  return `${label}: ${zoneCity(zone)}`;
}

/** What stands on the button. */
export function ZoneFace({ value }: { value: string }) {
  return (
    <>
      <span className="truncate">{zoneCity(value)}</span>
      <svg width="8" height="8" viewBox="0 0 8 8" aria-hidden="true" className="shrink-0">
        <path d="M1 2.5 4 5.5 7 2.5" fill="none" stroke="currentColor" strokeWidth="1.4" />
      </svg>
    </>
  );
}
