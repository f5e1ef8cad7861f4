"use client";

import { useState } from "react";
import { PopoverButton } from "@/components/ui/popover-button";
import type { PopupButtonProps } from "@/components/ui/popup-button";
import { Inbox } from "./inbox";
import { inboxWords } from "./words";

/** The inbox behind the bell, initially open. Default export for `popupButton`. */
export default function InboxPopover({ className, children }: PopupButtonProps) {
  const [isOpen, setIsOpen] = useState(true);
  return (
    <PopoverButton
      label={inboxWords.title}
      within="header"
      className={className}
      panelClassName="flex max-h-[min(620px,calc(100vh-60px))] w-[436px] flex-col"
      isOpen={isOpen}
      onOpenChange={setIsOpen}
      content={<Inbox onLeave={() => setIsOpen(false)} />}
    >
      {children}
    </PopoverButton>
  );
}
