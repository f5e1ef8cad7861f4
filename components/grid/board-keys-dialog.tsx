"use client";

import KeysDialog from "@/components/list/keys-dialog";
import { BOARD_KEYS } from "./keys-words";

/** Keyboard shortcuts of the overview. Default export for `lazyPart`. */
export default function BoardKeysDialog({ onClose }: { onClose: () => void }) {
  return <KeysDialog keys={BOARD_KEYS} onClose={onClose} />;
}
