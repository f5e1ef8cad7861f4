"use client";

import { Dialog as BaseDialog } from "@base-ui/react/dialog";
import type { ReactNode, RefObject } from "react";

/**
 * A modal with one question or one explanation, labelled by its title. Escape, the scrim and its
 * button close it; focus returns to where it was. Default export for `lazyPart`: dialogs are loaded
 * on demand.
 */
export default function Dialog({
  title,
  closeLabel,
  onClose,
  actions,
  className = "w-[480px]",
  initialFocus,
  children,
}: {
  title: string;
  closeLabel: string;
  onClose: () => void;
  /** Further actions, beside closing. */
  actions?: ReactNode;
  /** Sets its width. */
  className?: string;
  /**
   * What is focused instead of the first control. Not `autoFocus`: that comes before the dialog remembers where the
   * focus was.
   */
  initialFocus?: RefObject<HTMLElement | null>;
  children: ReactNode;
}) {
  return (
    <BaseDialog.Root defaultOpen onOpenChange={(isOpen) => isOpen || onClose()}>
      <BaseDialog.Portal>
        <BaseDialog.Backdrop className="fixed inset-0 z-30 bg-scrim" />
        <BaseDialog.Popup
          {...(initialFocus !== undefined && { initialFocus })}
          className={`fixed top-1/2 left-1/2 z-30 max-h-[90vh] ${className} max-w-[calc(100vw-28px)] [translate:-50%_-50%] overflow-auto rounded border border-ink bg-surface p-5 outline-none`}
        >
          <BaseDialog.Title className="text-md font-strong">{title}</BaseDialog.Title>
          <div className="mt-3 mb-4 text-ink-2">{children}</div>
          <div className="flex justify-end gap-2">
            <BaseDialog.Close className="inline-flex h-[30px] items-center rounded border border-control px-3 font-medium hover:bg-row-hover focus-visible:outline-offset-2 max-sm:h-11">
              {closeLabel}
            </BaseDialog.Close>
            {actions}
          </div>
        </BaseDialog.Popup>
      </BaseDialog.Portal>
    </BaseDialog.Root>
  );
}
