"use client";

import KeysDialog from "@/components/list/keys-dialog";
import { PARTNER_KEYS } from "./words";

/** Keyboard shortcuts of the page. Default export for `lazyPart`. */
export default function PartnerKeysDialog({
  without,
  onClose,
}: {
  without: readonly string[];
  onClose: () => void;
}) {
  return <KeysDialog keys={PARTNER_KEYS} without={without} onClose={onClose} />;
}
