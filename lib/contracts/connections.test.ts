import { describe, expect, test } from "vitest";
import { ConnectionChange, ConnectRequest } from "./connections";

const REQUEST = {
  slug: "halden",
  name: " Halden Construction ",
  base_url: "https://api.halden.example/api/v3/",
  client_id: "hc-plumbline-prod",
  client_secret: " secret\n",
};

describe("a new connection", () => {
  test("is read without white space and trailing slashes", () => {
    expect(ConnectRequest.parse(REQUEST)).toEqual({
      slug: "halden",
      name: "Halden Construction",
      base_url: "https://api.halden.example/api/v3",
      client_id: "hc-plumbline-prod",
      client_secret: "secret",
    });
  });

  test.each([
    ["slug", "settings"],
    ["slug", "Halden"],
    ["name", ""],
    ["base_url", "api.halden.example"],
    ["base_url", "ftp://api.halden.example"],
    ["base_url", "https://api.halden.example:0/api/v3"],
    ["base_url", "https://user:password@api.halden.example/api/v3"],
    ["base_url", "https://api.halden.example/api/v3?key=1"],
    ["client_id", ""],
    ["client_id", "a\0b"],
    ["client_id", "a\ud800b"],
    ["client_secret", "env:AUTH_SECRET"],
    ["time_zone", "Europe/Atlantis"],
    ["owner", "Ana"],
    ["external_id", "x".repeat(101)],
  ])("is refused for the %s %j", (name, value) => {
    const { success, error } = ConnectRequest.safeParse({ ...REQUEST, [name]: value });
    expect([success, error?.issues[0]?.path[0]]).toEqual([false, name]);
  });
});

describe("a change", () => {
  test.each([
    [{ name: "Halden" }, true],
    [{ client_secret: "new" }, true],
    [{ base_url: REQUEST.base_url, client_id: "c", client_secret: "new" }, true],
    [{ base_url: REQUEST.base_url }, false],
    [{ client_id: "other" }, false],
    [{ slug: "other" }, false],
  ])("of %j is accepted: %j", (change, isAccepted) => {
    expect(ConnectionChange.safeParse(change).success).toBe(isAccepted);
  });
});
