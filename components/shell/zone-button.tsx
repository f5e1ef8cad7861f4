"use client";

import { lazy, Suspense, useRef, useState } from "react";
import { ZONE_BUTTON, ZoneFace, zoneLabel, type ZoneButtonProps } from "./zone-face";

const loadPicker = () => import("./zone-picker");
const ZonePicker = lazy(loadPicker);

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
