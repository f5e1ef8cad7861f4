"use client";

import { Popover } from "@base-ui/react/popover";
import { useState, type ReactNode } from "react";
import type { Face } from "./popup-button";

/**
 * A button of the top bar and its panel.
 * @param label accessible name of the panel
 * @param panelClassName of the panel: its size and padding
 * @param content of the panel
 */
export function BarPopover({
  label,
  className,
  panelClassName,
  isOpen,
  onOpenChange,
  children,
  content,
}: Face & {
  label: string;
  panelClassName: string;
  isOpen: boolean;
  onOpenChange: (isOpen: boolean) => void;
  content: ReactNode;
}) {
  const [landmark, setLandmark] = useState<HTMLElement | null>(null);
  return (
    <Popover.Root open={isOpen} onOpenChange={onOpenChange}>
      <Popover.Trigger
        // A panel outside of the page's landmarks would be missing from its outline.
        ref={(trigger: HTMLElement | null) => setLandmark(trigger?.closest("header") ?? null)}
        className={className}
      >
        {children}
      </Popover.Trigger>
      <Popover.Portal container={landmark} className="absolute">
        <Popover.Positioner align="end" sideOffset={6} className="z-20 outline-none">
          <Popover.Popup
            aria-label={label}
            className={`max-w-[calc(100vw-16px)] rounded border border-ink bg-surface outline-none ${panelClassName}`}
          >
            {content}
          </Popover.Popup>
        </Popover.Positioner>
      </Popover.Portal>
    </Popover.Root>
  );
}
