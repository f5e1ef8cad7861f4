"use client";

import { Popover } from "@base-ui/react/popover";
import { useState } from "react";
import type { Face } from "@/components/ui/popup-button";
import { Inbox } from "./inbox";
import { inboxWords } from "./words";

/** The inbox behind the bell, initially open. Default export for `popupButton`. */
export default function InboxPopover({ className, children }: Face) {
  const [landmark, setLandmark] = useState<HTMLElement | null>(null);
  const [isOpen, setIsOpen] = useState(true);
  return (
    <Popover.Root open={isOpen} onOpenChange={setIsOpen}>
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
            aria-label={inboxWords.title}
            className="flex max-h-[min(620px,calc(100vh-60px))] w-[436px] max-w-[calc(100vw-16px)] flex-col rounded border border-ink bg-surface outline-none"
          >
            <Inbox onLeave={() => setIsOpen(false)} />
          </Popover.Popup>
        </Popover.Positioner>
      </Popover.Portal>
    </Popover.Root>
  );
}
