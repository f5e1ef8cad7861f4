import { useEffect, useRef, type RefObject } from "react";

/**
 * Reports a value entered before hydration: React preserves it while hydrating, but would reset it
 * on the next render. Called once, when the field mounts.
 */
export function useEarlyChange(
  field: RefObject<HTMLInputElement | HTMLSelectElement | null>,
  value: string,
  onChange: (value: string) => void,
) {
  const given = useRef({ value, onChange });
  useEffect(() => {
    const found = field.current?.value ?? "";
    if (found !== given.current.value) given.current.onChange(found);
  }, [field]);
}
