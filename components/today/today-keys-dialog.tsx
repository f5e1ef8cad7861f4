"use client";

import KeysDialog from "@/components/list/keys-dialog";
import { TODAY_KEYS } from "./words";

/** Keyboard shortcuts of the page. Default export for `lazyPart`. */
export default function TodayKeysDialog({
  without,
  onClose,
}: {
  without: readonly string[];
  onClose: () => void;
}) {
  return <KeysDialog keys={TODAY_KEYS} without={without} onClose={onClose} />;
}
