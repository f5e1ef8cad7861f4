import { useEffect, useRef, type RefObject } from "react";

/**
 * Tells what was typed or chosen before the page was hydrated: React keeps it while it hydrates, and would take
 * it back the next time it draws the field. Told once, as the field comes.
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
