"use client";

import KeysDialog from "@/components/list/keys-dialog";
import { BOARD_KEYS } from "./keys-words";

/** Keyboard shortcuts of the overview. Default export for `lazyPart`. */
export default function BoardKeysDialog({
  without,
  onClose,
}: {
  without: readonly string[];
  onClose: () => void;
}) {
  return <KeysDialog keys={BOARD_KEYS} without={without} onClose={onClose} />;
}
