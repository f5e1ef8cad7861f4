/**
 * An address or a secret that is shown once, to be copied.
 * @param isFocused takes the focus when it appears
 */
export function ShownOnce({
  label,
  value,
  isFocused = false,
}: {
  label: string;
  value: string;
  isFocused?: boolean;
}) {
  return (
    <input
      readOnly
      ref={isFocused ? focus : undefined}
      aria-label={label}
      value={value}
      onFocus={({ target }) => target.select()}
      className="mt-3 block h-[38px] w-full rounded border border-control bg-sunken px-2.5 font-mono text-xs text-ink"
    />
  );
}

function focus(input: HTMLInputElement | null): void {
  input?.focus();
}
