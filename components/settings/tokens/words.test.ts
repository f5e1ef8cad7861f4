import { expect, test } from "vitest";
import * as words from "./words";

test("counts valid tokens, and names the day of the only one that expires soon", () => {
  const none = { amount: 0, day: "" };
  expect(words.headline(0, none)).toBe("No valid API tokens");
  expect(words.headline(1, none)).toBe("1 API token");
  expect(words.headline(5, { amount: 1, day: "Mon 30 Nov" })).toBe(
    "5 API tokens, 1 expires on Mon 30 Nov",
  );
  expect(words.headline(5, { amount: 2, day: "Mon 30 Nov" })).toBe(
    "5 API tokens, 2 expire within 7 days",
  );
});

test("says which companies a token is for", () => {
  const named = (...names: string[]) => names.map((name) => ({ slug: name, name }));
  const text = (companies: ReturnType<typeof named> | null, amount = 0) =>
    words.companiesText({ companies, company_count: amount });
  expect(text(null, 1_037)).toBe("All of theirs (1,037)");
  expect(text(named("Northgate Builders"))).toBe("Northgate Builders");
  expect(text(named("a", "b"))).toBe("2, named");
  expect(text([])).toBe("0, named");
});

test("says when a token expires, with the distance shortly before", () => {
  expect(words.expiresText("12 Jan 2027", null, false)).toBe("12 Jan 2027");
  expect(words.expiresText("Mon 30 Nov", "6 d", false)).toBe("Mon 30 Nov, in 6 d");
  expect(words.distanceText(6.9 * 86_400_000)).toBe("6 d");
  expect(words.distanceText(3_600_000)).toBe("1 h 00 m");
  expect(words.expiresText("3 Sep 2026", "0 m", true)).toBe("Expired 3 Sep 2026");
});

test("shortens a token on the screen, and puts it whole into the copied command", () => {
  const token = `plb_${"a".repeat(32)}wxyz`;
  expect(words.shortened(token)).toBe("plb_aaaa…wxyz");
  expect(words.curlCommand("https://plumbline.example", token)).toBe(
    `curl -H "Authorization: Bearer ${token}" \\\n  "https://plumbline.example/api/incidents?state=open"`,
  );
});

test("a service token isn’t said to see what the person sees who created it", () => {
  expect(words.subline).toContain("a service token only its companies");
  expect(words.subline).not.toContain("every response says");
});

test("says names in dialogs without bidirectional control characters", () => {
  const name = "Nightly\u202Eylkeew";
  expect(words.revokeDialog.title(name)).toBe("Revoke the token “Nightlyylkeew”?");
  expect(words.removeDialog.title(name)).toBe("Remove the token “Nightlyylkeew”?");
  expect(words.createDialog.save(name)).toBe("Create “Nightlyylkeew”");
});

test("doesn't say that nothing was created when no answer came", () => {
  expect(words.refusal(0)).toBe("Plumbline isn’t responding. Your request may have gone through.");
});
