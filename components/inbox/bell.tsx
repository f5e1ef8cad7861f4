"use client";

import { useSettledPage } from "@/components/shell/use-settled-page";
import { Link } from "@/components/ui/link";
import { popupButton } from "@/components/ui/popup-button";
import { BellCount } from "./bell-count";
import { INBOX, UNACKNOWLEDGED } from "./words";

const InboxButton = popupButton("dialog", () => import("./inbox-popover"));

/**
 * Opens the inbox, with the number of unread messages; without an inbox, links to unacknowledged incidents.
 * @param company slug of the company that the page is about; null for none
 */
export function Bell({ company, hasInbox }: { company: string | null; hasInbox: boolean }) {
  const isSettled = useSettledPage();
  const content = (
    <>
      <svg width="16" height="16" viewBox="0 0 16 16" aria-hidden="true" fill="none">
        <path
          d="M8 1.6c-2.7 0-4.4 1.9-4.4 4.5 0 3.4-1.4 4.3-1.4 5.4h11.6c0-1.1-1.4-2-1.4-5.4 0-2.6-1.7-4.5-4.4-4.5ZM6.3 13.6h3.4"
          stroke="currentColor"
          strokeWidth="1.5"
        />
      </svg>
      <span className="sr-only">{hasInbox ? INBOX : UNACKNOWLEDGED}</span>
      {isSettled ? <BellCount company={company} hasInbox={hasInbox} /> : null}
    </>
  );
  if (!hasInbox) {
    return (
      <Link href="/incidents?show=unacknowledged" className="bell">
        {content}
      </Link>
    );
  }
  return <InboxButton className="bell">{content}</InboxButton>;
}
