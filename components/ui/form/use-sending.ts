import { useState } from "react";

/**
 * Sends, once at a time, and keeps why it was not done.
 * @param onSend null when it was done, else why it was not; never rejects
 */
export function useSending<T>(onSend: () => Promise<T | null>) {
  const [isBusy, setIsBusy] = useState(false);
  const [refused, setRefused] = useState<T | null>(null);
  const send = async () => {
    if (isBusy) return;
    setIsBusy(true);
    setRefused(null);
    setRefused(await onSend());
    setIsBusy(false);
  };
  return { isBusy, refused, setRefused, send };
}
