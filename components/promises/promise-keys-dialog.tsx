"use client";

import KeysDialog from "@/components/list/keys-dialog";
import { promiseKeys } from "./words";

/** Keyboard shortcuts of the list of promises. Default export for `lazyPart`. */
export default function PromiseKeysDialog({
  mayMake,
  onClose,
}: {
  mayMake: boolean;
  onClose: () => void;
}) {
  return <KeysDialog keys={promiseKeys(mayMake)} onClose={onClose} />;
}
