"use client";

import KeysDialog from "@/components/list/keys-dialog";
import { COMPANY_KEYS } from "./words";

/** Keyboard shortcuts of the list of companies. Default export for `lazyPart`. */
export default function CompanyKeysDialog({ onClose }: { onClose: () => void }) {
  return <KeysDialog keys={COMPANY_KEYS} onClose={onClose} />;
}
