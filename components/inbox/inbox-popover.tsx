"use client";

import { Popover } from "@base-ui/react/popover";
import { useState, type ReactNode } from "react";
import { Inbox } from "./inbox";
import { inboxWords } from "./words";

/** The inbox behind the bell, open from its first moment. Default export for `later`. @param children what the bell shows */
export default function InboxPopover({ children }: { children: ReactNode }) {
  const [landmark, setLandmark] = useState<HTMLElement | null>(null);
  const [isOpen, setIsOpen] = useState(true);
  return (
    <Popover.Root open={isOpen} onOpenChange={setIsOpen}>
      <Popover.Trigger
        // A panel outside of the page's landmarks would be beside its outline.
        ref={(trigger: HTMLElement | null) => setLandmark(trigger?.closest("header") ?? null)}
        className="bell"
      >
        {children}
      </Popover.Trigger>
      <Popover.Portal container={landmark} className="absolute">
        <Popover.Positioner align="end" sideOffset={6} className="z-20 outline-none">
          <Popover.Popup aria-label={inboxWords.title} className="inbox">
            <Inbox onLeave={() => setIsOpen(false)} />
          </Popover.Popup>
        </Popover.Positioner>
      </Popover.Portal>
    </Popover.Root>
  );
}
