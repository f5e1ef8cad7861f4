import { absoluteTime } from "@/lib/domain/words/format";
import type { Mail } from "@/lib/server/delivery/mail";

/** Contents of the mail with a link: recipient, maker, and expiry. */
export type LinkMail = {
  to: { name: string; email: string };
  /** Name of the link's maker. */
  by: string;
  purpose: "invitation" | "reset";
  url: string;
  expiresAtMs: number;
};

/** The mail with a link for choosing a password. It names no company. */
export function linkMail({ to, by, purpose, url, expiresAtMs }: LinkMail): Mail {
  const { origin } = new URL(url);
  const words = {
    invitation: {
      subject: `${by} invited you to Plumbline`,
      lead: `${by} gave you access to Plumbline at ${origin}. Choose a password to sign in.`,
      act: "Choose a password",
      foot: "If you weren’t expecting this, ignore it.",
    },
    reset: {
      subject: "Choose a new password for Plumbline",
      lead: `${by} created a link for you to choose a new password for Plumbline at ${origin}.`,
      act: "Choose a new password",
      foot: "Your current password works until you do. If you weren’t expecting this, ignore it and tell an administrator.",
    },
  }[purpose];
  const greeting = `Hello ${to.name},`;
  const until = `The link works once, until ${absoluteTime(expiresAtMs, "UTC")}.`;
  return {
    to: to.email,
    subject: words.subject,
    text: [greeting, words.lead, url, until, words.foot].join("\n\n"),
    html: page({ greeting, until, url, ...words }),
  };
}

const FONTS = "-apple-system,'Segoe UI',Roboto,Helvetica,Arial,sans-serif";

/** Inline styles, because mail clients drop style sheets; the one here only swaps colours. */
function page(words: {
  subject: string;
  greeting: string;
  lead: string;
  act: string;
  url: string;
  until: string;
  foot: string;
}): string {
  const { subject, greeting, lead, act, url, until, foot } = words;
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="color-scheme" content="light dark"><title>${text(subject)}</title>
<style>@media (prefers-color-scheme: dark) { .pg { background: #0c0d0f !important; } .tx { color: #eeeff0 !important; } .t2 { color: #b6bac0 !important; } .bt { background: #eeeff0 !important; color: #0c0d0f !important; } }</style></head>
<body class="pg" style="margin:0;padding:0;background:#fbfbf9;"><div class="pg" style="background:#fbfbf9;padding:28px 20px;">
<div style="max-width:560px;margin:0 auto;font-family:${FONTS};font-size:15px;line-height:22px;">
<p class="tx" style="margin:0 0 12px;color:#16181b;">${text(greeting)}</p>
<p class="tx" style="margin:0 0 20px;color:#16181b;">${text(lead)}</p>
<p style="margin:0 0 20px;"><a class="bt" href="${text(url)}" style="display:inline-block;padding:9px 16px;background:#16181b;color:#ffffff;text-decoration:none;font-weight:600;font-size:14px;border-radius:3px;">${text(act)}</a></p>
<p class="t2" style="margin:0;color:#45494f;font-size:13px;line-height:19px;">${text(until)}<br>${text(foot)}</p>
</div></div></body></html>
`;
}

function text(plain: string): string {
  return plain.replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`);
}
