"use client";

import { Suspense, useState, type KeyboardEvent, type ReactNode } from "react";
import { forChat, type StatedAt } from "@/components/shell/chat-statement";
import { useZone, useZoneChoice } from "@/components/shell/time/zone";
import { Button } from "@/components/ui/button";
import { CopyButton } from "@/components/ui/copy-button";
import { lazyPart } from "@/components/ui/lazy-part";
import { PopoverButton } from "@/components/ui/popover-button";
import type { PopupButtonProps } from "@/components/ui/popup-button";
import { Unbroken } from "@/components/ui/unbroken";
import { shareLink } from "@/lib/client/share-link";
import { useNow, useServerClock } from "@/lib/client/use-now";
import { zoneName } from "@/lib/domain/time/zone-name";
import { clockTime } from "@/lib/domain/words/format";
import { ShortcutKey } from "./shortcut-key";
import { SHARE } from "@/components/drill-down/words";
import { shareMenu as words } from "./words";

const ShareDialog = lazyPart(() => import("./share-dialog"));

/** What a share link would show. `incident`: its number; null: the partner is shared. */
export type SharedThing = {
  company: string;
  companyName: string;
  partnerName: string;
  incident: number | null;
};

/**
 * A page's *Share* button with its menu, initially open: for a colleague, for the customer, and for
 * people without an account. Lazy modules render it.
 * @param subject start of the statement, which becomes the link in rich text
 * @param say the page as one dated statement
 * @param address of the link, absolute; default: of the page
 * @param hasPast whether the page can show a past moment, so that its link is to this one
 * @param tell the paragraph for the customer; null: the page isn't about one customer
 * @param tellHint what the paragraph is about, where it isn't what the page shows
 * @param link null: the page has no share link, or the person may not share it
 */
export function ShareMenu({
  button: { label = SHARE, className, children },
  subject,
  say,
  address = addressOfPage,
  hasPast = true,
  tell,
  tellHint,
  link,
}: {
  button: PopupButtonProps;
  subject: string;
  say: (said: StatedAt) => string;
  address?: (() => string) | undefined;
  hasPast?: boolean;
  tell: ReactNode;
  tellHint?: string | undefined;
  link: SharedThing | null;
}) {
  const [isOpen, setIsOpen] = useState(true);
  const [isSharing, setIsSharing] = useState(false);
  return (
    <>
      <PopoverButton
        label={label}
        within="main"
        className={className}
        panelClassName="max-h-[min(720px,var(--available-height))] w-[512px] overflow-y-auto overscroll-contain"
        isOpen={isOpen}
        onOpenChange={setIsOpen}
        onKeyDown={pressByKey}
        content={
          <>
            <Colleague subject={subject} say={say} address={address} hasPast={hasPast} />
            {tell === null ? null : (
              <Choice icon={SPEECH} heading={words.customer} hint={words.customerHint}>
                {tellHint === undefined ? null : <p className="text-xs font-medium">{tellHint}</p>}
                {tell}
              </Choice>
            )}
            {link === null ? null : (
              <Choice
                icon={CHAIN}
                heading={words.stranger}
                hint={
                  link.incident === null
                    ? words.strangerHint(link.partnerName, link.companyName)
                    : words.strangerIncidentHint(link.partnerName, link.companyName)
                }
              >
                <div className="mt-2 flex flex-wrap items-center gap-x-2.5 gap-y-1.5">
                  <Button
                    onClick={() => {
                      setIsOpen(false);
                      setIsSharing(true);
                    }}
                  >
                    {words.create}
                  </Button>
                  <span className="text-xs text-ink-2">{words.expires}</span>
                </div>
              </Choice>
            )}
          </>
        }
      >
        {children}
      </PopoverButton>
      <Suspense>
        {isSharing && link !== null ? (
          <ShareDialog
            company={link.company}
            partnerName={link.partnerName}
            incident={link.incident}
            onClose={() => setIsSharing(false)}
          />
        ) : null}
      </Suspense>
    </>
  );
}

/** The dated statement, with a link: to the moment at which it is copied, or to the page as it will be. */
function Colleague({
  subject,
  say,
  address,
  hasPast,
}: {
  subject: string;
  say: (said: StatedAt) => string;
  address: () => string;
  hasPast: boolean;
}) {
  const { choice } = useZoneChoice();
  const timeZone = useZone();
  const clock = useServerClock();
  const statement = useNow((nowMs) => say({ nowMs, timeZone }));
  const time = useNow((nowMs) => `${clockTime(nowMs, timeZone)} ${zoneName(nowMs, timeZone)}`);
  const link = (nowMs: number) => ({ atMs: hasPast ? nowMs : null, clock: choice });
  return (
    <Choice
      icon={PEOPLE}
      heading={words.colleague}
      hint={hasPast ? words.colleagueHint(time) : words.colleagueHintNow}
    >
      <p className="mt-2 bg-sunken px-2.5 py-2 wrap-anywhere">
        <Unbroken text={statement} />
      </p>
      <div className="mt-2 flex flex-wrap items-center gap-2">
        <CopyButton
          look="primary"
          shortcut="c"
          text={() => {
            const nowMs = clock.nowMs();
            return forChat(say({ nowMs, timeZone }), subject, address(), link(nowMs));
          }}
        >
          {words.copyForChat}
        </CopyButton>
        <CopyButton text={() => shareLink(address(), link(clock.nowMs()))}>
          {words.copyLink}
        </CopyButton>
        <ShortcutKey>C</ShortcutKey>
      </div>
    </Choice>
  );
}

const addressOfPage = () => window.location.href;

function Choice({
  icon,
  heading,
  hint,
  children,
}: {
  icon: string;
  heading: string;
  hint: string;
  children: ReactNode;
}) {
  return (
    <section className="flex gap-3 border-t border-line-strong px-4 py-3.5 first:border-t-0">
      <svg
        width="16"
        height="16"
        viewBox="0 0 16 16"
        aria-hidden="true"
        fill="none"
        stroke="currentColor"
        strokeWidth="1.5"
        className="mt-px shrink-0"
      >
        <path d={icon} />
      </svg>
      <div className="min-w-0 flex-1">
        <h2 className="font-strong">{heading}</h2>
        <p className="text-xs text-ink-2">{hint}</p>
        {children}
      </div>
    </section>
  );
}

const PEOPLE =
  "M2.9 5.6a2.5 2.5 0 1 0 5 0a2.5 2.5 0 1 0-5 0M9.4 5.6a2 2 0 1 0 4 0a2 2 0 1 0-4 0M.9 13.4c.4-2.6 2.1-3.8 4.5-3.8s4.1 1.2 4.5 3.8M11.2 9.5c2.2 0 3.5 1.1 3.9 3.4";
const SPEECH = "M1.5 2h13v9H8l-3.5 3.2V11h-3Z";
const CHAIN =
  "M6.6 9.4a3 3 0 0 0 4.2 0l2.6-2.6a3 3 0 0 0-4.2-4.2L8 3.8M9.4 6.6a3 3 0 0 0-4.2 0L2.6 9.2a3 3 0 0 0 4.2 4.2L8 12.2";

/** Presses the button of the menu whose shortcut was typed, unless that was typed into a field. */
function pressByKey(event: KeyboardEvent<HTMLElement>): void {
  const { key, target, currentTarget, ctrlKey, metaKey, altKey } = event;
  if (ctrlKey || metaKey || altKey || !/^[a-z]$/i.test(key)) return;
  // The keys of the page mean nothing in here.
  event.stopPropagation();
  if (target instanceof HTMLInputElement) return;
  const button = currentTarget.querySelector<HTMLElement>(
    `[aria-keyshortcuts="${key.toLowerCase()}"]`,
  );
  button?.click();
}
