"use client";

import type { StatedAt } from "@/components/shell/chat-statement";
import type { PopupButtonProps } from "@/components/ui/popup-button";
import { ShareMenu } from "./share-menu";

/** What a page of which there are no past moments hands over. */
export type PageStatement = {
  /** What the page is about, with its filters. */
  subject: string;
  /** What it says, with its date. */
  say: (said: StatedAt) => string;
  /** Absolute; default: of the page. */
  address?: () => string;
};

/**
 * *Share* on a page that can't show a past moment: only with colleagues. Default export for
 * `popupButton`.
 */
export default function PageShare({
  subject,
  say,
  address,
  ...button
}: PopupButtonProps & PageStatement) {
  return (
    <ShareMenu
      button={button}
      subject={subject}
      say={(said) => `${subject}: ${say(said)}`}
      hasPast={false}
      address={address}
      tell={null}
      link={null}
    />
  );
}
