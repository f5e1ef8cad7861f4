import { describe, expect, test } from "vitest";
import { ownLink } from "./own-link";

const APP_URL = "https://plumbline.example";
const at = (path: string) => ownLink(`${APP_URL}${path}`, APP_URL);

describe("ownLink", () => {
  test.each([
    ["/northgate", null, null],
    ["/northgate/", null, null],
    ["/northgate?at=2026-11-20T10:00:00Z#x", null, null],
    ["/northgate/report", null, null],
    ["/northgate/incidents/7", 7, null],
    ["/northgate/incidents/7?from=chat", 7, null],
    ["/northgate/incidents/0", null, null],
    ["/northgate/incidents/7/x", null, null],
    ["/northgate/partners/Sage%20300", null, "Sage%20300"],
    ["/northgate/partners/Procore/12", null, "Procore"],
  ])("finds the company, incident and partner of %s", (path, incidentId, partner) => {
    expect(at(path)).toEqual({ leadsTo: "company", slug: "northgate", incidentId, partner });
  });

  test.each(["/", "/companies", "/partners/Procore", "/settings/rules", "/wall"])(
    "leads to a page without a company: %s",
    (path) => expect(at(path)).toEqual({ leadsTo: "other" }),
  );

  test.each([
    "/s/abc",
    "/calendar/abc.ics",
    "/pair",
    "/signin/password/abc",
    "/api/me",
    "/settings/me#slack=abc",
    "/Not-A-Slug",
  ])("may hold a credential: %s", (path) => expect(at(path)).toEqual({ leadsTo: "secret" }));

  test("with a password holds a credential", () => {
    expect(ownLink("https://a:b@plumbline.example/x", APP_URL)).toEqual({ leadsTo: "secret" });
  });

  test.each([
    "https://evil.example/northgate",
    "http://plumbline.example/northgate",
    "https://plumbline.example:8443/northgate",
    "https://plumbline.example.evil.example/",
    "javascript:alert(1)",
    "",
  ])("isn't ours: %s", (url) => expect(ownLink(url, APP_URL)).toEqual({ leadsTo: "foreign" }));
});
