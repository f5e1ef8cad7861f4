import { expect, test } from "vitest";
import { linkMail, type LinkMail } from "./link-mail";

const LINK: LinkMail = {
  to: { name: "Harriet Vane", email: "harriet@example.com" },
  by: "Ana Rask",
  purpose: "invitation",
  url: "https://plumbline.example/signin/password/abc",
  expiresAtMs: Date.parse("2026-11-26T14:32:07Z"),
};

test("names who invited, where the link leads, and until when it works", () => {
  const { to, subject, text } = linkMail(LINK);
  expect(to).toBe("harriet@example.com");
  expect(subject).toBe("Ana Rask invited you to Plumbline");
  expect(text.split("\n\n")).toEqual([
    "Hello Harriet Vane,",
    "Ana Rask invited you to Plumbline at https://plumbline.example. Choose a password to sign in.",
    "https://plumbline.example/signin/password/abc",
    "The link works once, until Thu 26 Nov 2026, 14:32 UTC.",
    "If you weren’t expecting this, ignore it.",
  ]);
});

test("says in a reset that the current password works until another is chosen", () => {
  const { subject, text } = linkMail({ ...LINK, purpose: "reset" });
  expect(subject).toBe("Choose a new password for Plumbline");
  expect(text).toContain("Your current password works until you do.");
});

test("escapes names", () => {
  const odd = `<img src=x onerror="alert(1)">&'`;
  const { html } = linkMail({ ...LINK, by: odd, to: { ...LINK.to, name: odd } });
  expect(html).not.toContain("<img");
  expect(html).toContain("&lt;img src=x onerror=&quot;alert(1)&quot;&gt;&amp;&#39;");
});
