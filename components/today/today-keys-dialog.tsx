"use client";

import KeysDialog from "@/components/list/keys-dialog";
import { TODAY_KEYS } from "./words";

/** Keyboard shortcuts of the page. Default export for `lazyPart`. */
export default function TodayKeysDialog({ onClose }: { onClose: () => void }) {
  return <KeysDialog keys={TODAY_KEYS} onClose={onClose} />;
}
