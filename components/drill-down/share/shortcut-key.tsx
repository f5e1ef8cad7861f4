/** The key that presses the first button of its row, at the row's end. */
export const ShortcutKey = ({ children }: { children: string }) => (
  <kbd className="ml-auto rounded-[2px] border border-line-strong px-1 font-mono text-xs text-ink-3 max-sm:hidden">
    {children}
  </kbd>
);
