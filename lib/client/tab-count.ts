/** Prefix of the tab's title: "(3) ", or empty. */
let prefix = "";

/** The title as set by the page. */
export function withoutCount(title: string): string {
  return prefix !== "" && title.startsWith(prefix) ? title.slice(prefix.length) : title;
}

/**
 * Shows a number in the tab: before its title, also when a page changes that later, and in its icon.
 * @param count 0 for none
 * @returns removes it
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
  // Browsers use the last of several icons.
  document.head.append(icon);
  return () => {
    observer.disconnect();
    icon.remove();
    const title = withoutCount(document.title);
    prefix = "";
    document.title = title;
  };
}

/** Our icon with a number as SVG; "9+" for larger ones. */
export function countIcon(count: number): string {
  const text = count > 9 ? "9+" : String(count);
  const width = text.length > 1 ? 26 : 20;
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><style>path,rect{fill:#16181b}text{fill:#fff;font:700 18px system-ui,sans-serif}@media (prefers-color-scheme:dark){path,rect{fill:#eeeff0}text{fill:#16181b}}</style><path d="M6.8 0h2.4v13h-2.4zM1.5 12.5h13L8 24Z"/><rect x="${32 - width}" y="11" width="${width}" height="21" rx="4"/><text x="${32 - width / 2}" y="28" text-anchor="middle">${text}</text></svg>`;
}
