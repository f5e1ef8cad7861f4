"use client";

import KeysDialog from "@/components/list/keys-dialog";
import { PARTNER_KEYS } from "./words";

/** Keyboard shortcuts of the page. Default export for `lazyPart`. */
export default function PartnerKeysDialog({ onClose }: { onClose: () => void }) {
  return <KeysDialog keys={PARTNER_KEYS} onClose={onClose} />;
}
