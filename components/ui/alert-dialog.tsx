"use client";

import { AlertDialog as BaseDialog } from "@base-ui/react/alert-dialog";
import { useRef, type ReactNode } from "react";
import { Button } from "./button";

/**
 * A question that must be answered: only its buttons and Escape close it. Focus starts on the
 * button that changes nothing, which is on top on a phone, or before it while that can't be pressed, and returns to where
 * it was. Default export for `lazyPart`.
 * @param title accessible name
 * @param actions the other buttons, after the one that closes
 * @param isHeavy for irreversible actions: a distinct border
 * @param isStatement asks nothing: the closing button is the default, and last
 * @param isInner over another dialog, which stays unchanged
 * @param isBusy can be neither closed nor answered twice
 */
export default function AlertDialog({
  title,
  closeLabel,
  onClose,
  actions,
  isHeavy = false,
  isWide = false,
  isStatement = false,
  isInner = false,
  isBusy = false,
  children,
}: {
  title: ReactNode;
  closeLabel: string;
  onClose: () => void;
  actions?: ReactNode;
  isHeavy?: boolean;
  isWide?: boolean;
  isStatement?: boolean;
  isInner?: boolean;
  isBusy?: boolean;
  children: ReactNode;
}) {
  const close = useRef<HTMLButtonElement>(null);
  return (
    <BaseDialog.Root
      open
      onOpenChange={(isOpen) => {
        if (!isOpen && !isBusy) onClose();
      }}
    >
      <BaseDialog.Portal>
        <BaseDialog.Backdrop forceRender={isInner} className="fixed inset-0 z-30 bg-scrim" />
        <BaseDialog.Popup
          initialFocus={isBusy || close}
          className={`fixed top-1/2 left-1/2 z-30 flex max-h-[calc(100dvh-28px)] max-w-[calc(100vw-28px)] [translate:-50%_-50%] flex-col overflow-auto rounded border border-ink bg-surface p-5 outline-none ${isInner ? "w-[420px] sm:mt-[72px]" : isWide ? "w-[560px]" : "w-[480px]"} ${isHeavy ? "border-t-[6px] border-t-failing-mark" : ""}`}
        >
          <BaseDialog.Title className="text-md font-strong wrap-anywhere">{title}</BaseDialog.Title>
          {children}
          <footer
            className={`mt-[18px] flex flex-wrap justify-end gap-2 max-sm:flex-nowrap ${isStatement ? "max-sm:flex-col-reverse" : "max-sm:flex-col"}`}
          >
            {isStatement ? actions : null}
            <BaseDialog.Close
              ref={close}
              render={<Button look={isStatement ? "primary" : "plain"} isBusy={isBusy} />}
            >
              {closeLabel}
            </BaseDialog.Close>
            {isStatement ? null : actions}
          </footer>
        </BaseDialog.Popup>
      </BaseDialog.Portal>
    </BaseDialog.Root>
  );
}
