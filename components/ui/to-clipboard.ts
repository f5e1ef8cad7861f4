/** What is copied: plain text, and HTML for targets that accept it. */
export type Copied = { text: string; html?: string };

/**
 * Copies a text to the clipboard, and returns whether that worked. Pages over plain HTTP lack the
 * clipboard API; the legacy command still works there.
 * @param given a promise is awaited within the click, as browsers require
 */
export async function toClipboard(given: string | Copied | Promise<Copied>): Promise<boolean> {
  const copied = typeof given === "string" ? { text: given } : given;
  try {
    if (navigator.clipboard === undefined) return copyBySelection(await copied);
    if (typeof given === "string" || typeof ClipboardItem === "undefined") {
      await navigator.clipboard.writeText((await copied).text);
      return true;
    }
    const made = Promise.resolve(copied);
    const blob = async (type: string, of: (what: Copied) => string) =>
      new Blob([of(await made)], { type });
    await navigator.clipboard.write([
      new ClipboardItem({
        "text/plain": blob("text/plain", ({ text }) => text),
        "text/html": blob("text/html", ({ text, html }) => html ?? text),
      }),
    ]);
    return true;
  } catch {
    return Promise.resolve(copied).then(copyBySelection, () => false);
  }
}

function copyBySelection({ text, html }: Copied): boolean {
  const focused = document.activeElement;
  const area = document.createElement("textarea");
  area.value = text;
  area.className = "sr-only";
  document.body.append(area);
  area.select();
  const both = (event: ClipboardEvent) => {
    if (html === undefined || event.clipboardData === null) return;
    event.clipboardData.setData("text/plain", text);
    event.clipboardData.setData("text/html", html);
    event.preventDefault();
  };
  document.addEventListener("copy", both);
  const hasCopied = document.execCommand("copy");
  document.removeEventListener("copy", both);
  area.remove();
  if (focused instanceof HTMLElement) focused.focus();
  return hasCopied;
}
