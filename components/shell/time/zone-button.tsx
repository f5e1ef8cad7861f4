"use client";

import { Suspense, useRef, useState, useTransition, type KeyboardEvent } from "react";
import { lazyPart } from "@/components/ui/lazy-part";
import {
  ZONE_BUTTON,
  ZoneButtonContent,
  zoneLabel,
  type ZoneButtonProps,
} from "./zone-button-content";

const loadPicker = () => import("./zone-picker");
const ZonePicker = lazyPart(loadPicker);

/**
 * A button that shows a zone by its city and opens a search by city or common zone names. The list
 * is loaded when it is about to open; until then the button looks and responds alike.
 */
export function ZoneButton(props: ZoneButtonProps) {
  const { label, value, className } = props;
  const [isWanted, setIsWanted] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  // While the list loads this button stays, and typed text is buffered for its search.
  const [isComing, startComing] = useTransition();
  const early = useRef("");
  const open = () => startComing(() => setIsWanted(true));
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
        if (isComing && isTyping(event)) {
          event.preventDefault();
          early.current =
            event.key === "Backspace" ? early.current.slice(0, -1) : early.current + event.key;
        }
        if (event.key !== "ArrowDown") return;
        event.preventDefault();
        open();
      }}
    >
      <ZoneButtonContent value={value} />
    </button>
  );
  return (
    <Suspense fallback={plain}>
      {isWanted ? (
        <ZonePicker
          {...props}
          takeEarly={() => early.current}
          onMissing={() => setIsWanted(false)}
        />
      ) : (
        plain
      )}
    </Suspense>
  );
}

function isTyping({ key, ctrlKey, metaKey, altKey }: KeyboardEvent<HTMLElement>): boolean {
  return !ctrlKey && !metaKey && !altKey && (key.length === 1 || key === "Backspace");
}
