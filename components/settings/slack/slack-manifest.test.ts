import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { slackManifest } from "./slack-manifest";

test("the manifest previews links to our host only, without its port", () => {
  expect(JSON.parse(slackManifest("plumbline.example:8443"))).toMatchObject({
    features: { unfurl_domains: ["plumbline.example"] },
    settings: { socket_mode_enabled: true, interactivity: { is_enabled: true } },
  });
});

test("the manifest in docs/delivery.md is the one that the page copies", () => {
  const text = readFileSync("docs/delivery.md", "utf8");
  const [, documented = ""] = /manifest:\n\n```json\n([^]*?)```/.exec(text) ?? [];
  expect(JSON.parse(documented)).toEqual(JSON.parse(slackManifest("plumbline.example.com")));
});
