/** What the tab's title begins with: "(3) ", or nothing. */
let prefix = "";

/** The title as the page wrote it. */
export function withoutCount(title: string): string {
  return prefix !== "" && title.startsWith(prefix) ? title.slice(prefix.length) : title;
}

/**
 * Shows a number in the tab: before its title, whatever page writes that and whenever, and in its icon.
 * @param count 0 for none
 * @returns takes it away again
 */
export function showCount(count: number): () => void {
  if (count <= 0) return () => {};
  prefix = `(${count}) `;
  const write = () => {
    if (!document.title.startsWith(prefix)) document.title = `${prefix}${document.title}`;
  };
  write();
  const observer = new MutationObserver(write);
  observer.observe(document.head, { childList: true, characterData: true, subtree: true });
  const icon = document.createElement("link");
  icon.rel = "icon";
  icon.type = "image/svg+xml";
  icon.href = `data:image/svg+xml,${encodeURIComponent(countIcon(count))}`;
  // Of several icons a browser takes the last.
  document.head.append(icon);
  return () => {
    observer.disconnect();
    icon.remove();
    const title = withoutCount(document.title);
    prefix = "";
    document.title = title;
  };
}

/** Our icon with a number on it, as SVG; what has no room is "9+". */
export function countIcon(count: number): string {
  const text = count > 9 ? "9+" : String(count);
  const width = text.length > 1 ? 26 : 20;
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><style>path,rect{fill:#16181b}text{fill:#fff;font:700 18px system-ui,sans-serif}@media (prefers-color-scheme:dark){path,rect{fill:#eeeff0}text{fill:#16181b}}</style><path d="M6.8 0h2.4v13h-2.4zM1.5 12.5h13L8 24Z"/><rect x="${32 - width}" y="11" width="${width}" height="21" rx="4"/><text x="${32 - width / 2}" y="28" text-anchor="middle">${text}</text></svg>`;
}
