import { useState } from "react";

/**
 * Submits once at a time, and keeps the error.
 * @param onSend resolves to null on success, else to the error; never rejects
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
