import { expect, test } from "vitest";
import { ServiceTokenRequest, TokenRequest } from "@/lib/contracts/tokens";
import { isTokenDraft, keptToken, NEW_TOKEN, requestOf, serviceRequestOf } from "./draft";

const ALL = [{ slug: "northgate" }, { slug: "harbour" }];

test("becomes the request of a personal token or of a service token", () => {
  const draft = { ...NEW_TOKEN, name: "Grafana" };
  expect(TokenRequest.parse(requestOf(draft))).toEqual({
    name: "Grafana",
    scope: "read",
    companies: "all",
    days: 90,
  });
  const service = { ...draft, kind: "service" } as const;
  expect(requestOf(service)).toBe(null);
  expect(ServiceTokenRequest.parse(serviceRequestOf(service, ALL))).toEqual({
    name: "Grafana",
    companies: ["northgate", "harbour"],
    days: 90,
  });
  const some = { ...service, companies: ["harbour"] };
  expect(serviceRequestOf(some, ALL).companies).toEqual(["harbour"]);
});

test("recognises a stored draft, and nothing else", () => {
  expect(isTokenDraft(keptToken(NEW_TOKEN).state)).toBe(true);
  for (const other of [null, {}, { ...NEW_TOKEN, kind: "write" }, { ...NEW_TOKEN, days: "90" }])
    expect(isTokenDraft(other)).toBe(false);
});
