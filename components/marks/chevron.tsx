/** Down, for what opens below; `isOpen` false: to the right, for what is closed. */
export function Chevron({
  isOpen = true,
  className,
}: {
  isOpen?: boolean;
  className?: string | undefined;
}) {
  return (
    <svg width="8" height="8" viewBox="0 0 8 8" aria-hidden="true" className={className}>
      <path
        d={isOpen ? "M1 2.5 4 5.5 7 2.5" : "M2.5 1 5.5 4 2.5 7"}
        fill="none"
        stroke="currentColor"
        strokeWidth="1.4"
      />
    </svg>
  );
}
