"use client";

import { Popover } from "@base-ui/react/popover";
import { useState, type KeyboardEventHandler, type ReactNode } from "react";
import type { PopupButtonProps } from "./popup-button";

/** Where its panel is placed, by the landmark that the button is in. */
const PLACING = {
  header: { sideOffset: 6, positionMethod: "absolute" },
  // At the end of a long page it would scroll there before it has its place.
  main: { sideOffset: 4, positionMethod: "fixed" },
} as const;

/**
 * A button and its panel.
 * @param label accessible name of the panel
 * @param within the landmark that the button is in: the top bar or the page
 * @param panelClassName of the panel: its size and padding
 * @param content of the panel
 */
export function PopoverButton({
  label,
  within,
  className,
  panelClassName,
  isOpen,
  onOpenChange,
  onKeyDown,
  children,
  content,
}: PopupButtonProps & {
  label: string;
  within: keyof typeof PLACING;
  panelClassName: string;
  isOpen: boolean;
  onOpenChange: (isOpen: boolean) => void;
  onKeyDown?: KeyboardEventHandler<HTMLElement>;
  content: ReactNode;
}) {
  const [landmark, setLandmark] = useState<HTMLElement | null>(null);
  return (
    <Popover.Root open={isOpen} onOpenChange={onOpenChange}>
      <Popover.Trigger
        // A panel outside of the page's landmarks would be missing from its outline.
        ref={(trigger: HTMLElement | null) => setLandmark(trigger?.closest(within) ?? null)}
        className={className}
      >
        {children}
      </Popover.Trigger>
      <Popover.Portal container={landmark} className="absolute">
        <Popover.Positioner align="end" {...PLACING[within]} className="z-20 outline-none">
          <Popover.Popup
            aria-label={label}
            onKeyDown={onKeyDown}
            className={`max-w-[calc(100vw-16px)] rounded border border-ink bg-surface outline-none ${panelClassName}`}
          >
            {content}
          </Popover.Popup>
        </Popover.Positioner>
      </Popover.Portal>
    </Popover.Root>
  );
}
