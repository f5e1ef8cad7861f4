import { escapeHtml } from "@/lib/server/http/html";

const FONTS = "-apple-system,'Segoe UI',Roboto,Helvetica,Arial,sans-serif";

/**
 * The HTML of a mail to a person. Inline styles, because mail clients drop style sheets; the one here only swaps colours.
 */
export function mailPage(words: {
  subject: string;
  greeting: string;
  lead: string;
  button: { act: string; url: string } | null;
  foot: readonly string[];
}): string {
  const { subject, greeting, lead, button, foot } = words;
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="color-scheme" content="light dark"><title>${escapeHtml(subject)}</title>
<style>@media (prefers-color-scheme: dark) { .pg { background: #0c0d0f !important; } .tx { color: #eeeff0 !important; } .t2 { color: #b6bac0 !important; } .bt { background: #eeeff0 !important; color: #0c0d0f !important; } }</style></head>
<body class="pg" style="margin:0;padding:0;background:#fbfbf9;"><div class="pg" style="background:#fbfbf9;padding:28px 20px;">
<div style="max-width:560px;margin:0 auto;font-family:${FONTS};font-size:15px;line-height:22px;">
<p class="tx" style="margin:0 0 12px;color:#16181b;">${escapeHtml(greeting)}</p>
<p class="tx" style="margin:0 0 20px;color:#16181b;">${escapeHtml(lead)}</p>
${button === null ? "" : buttonOf(button)}<p class="t2" style="margin:0;color:#45494f;font-size:13px;line-height:19px;">${foot.map(escapeHtml).join("<br>")}</p>
</div></div></body></html>
`;
}

function buttonOf({ act, url }: { act: string; url: string }): string {
  return `<p style="margin:0 0 20px;"><a class="bt" href="${escapeHtml(url)}" style="display:inline-block;padding:9px 16px;background:#16181b;color:#ffffff;text-decoration:none;font-weight:600;font-size:14px;border-radius:3px;">${escapeHtml(act)}</a></p>
`;
}
