/**
 * Puts a text on the clipboard, and says whether that worked. Pages over plain http have no clipboard of their own;
 * the old way still works there.
 */
export async function toClipboard(text: string): Promise<boolean> {
  try {
    if (navigator.clipboard === undefined) return copyBySelection(text);
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return copyBySelection(text);
  }
}

function copyBySelection(text: string): boolean {
  const focused = document.activeElement;
  const area = document.createElement("textarea");
  area.value = text;
  area.className = "sr-only";
  document.body.append(area);
  area.select();
  const hasCopied = document.execCommand("copy");
  area.remove();
  if (focused instanceof HTMLElement) focused.focus();
  return hasCopied;
}
