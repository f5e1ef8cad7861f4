import { expect, test } from "vitest";
import { endOthersDialog, placeText } from "./words";

test.each([
  ["127.0.0.1", "This server, 127.0.0.1"],
  ["::1", "This server, ::1"],
  ["10.1.2.3", "Local network, 10.1.2.3"],
  ["172.16.0.9", "Local network, 172.16.0.9"],
  ["172.32.0.9", "172.32.0.9"],
  ["192.168.1.5", "Local network, 192.168.1.5"],
  ["fd00:1:2:3::/64", "Local network, fd00:1:2:3::/64"],
  ["84.212.3.4", "84.212.3.4"],
  ["2001:db8::/64", "2001:db8::/64"],
  ["unknown", "Unknown"],
])("describes the network of the address %s", (address, text) => {
  expect(placeText(address)).toBe(text);
});

test("before other sessions are ended it is said which, and that this one stays", () => {
  expect(endOthersDialog(1)).toMatchObject({
    title: "End your other session?",
    children: "That browser is signed out within seconds. This one stays signed in.",
    act: "End 1 session",
  });
  expect(endOthersDialog(3)).toMatchObject({
    title: "End your 3 other sessions?",
    children: "Those browsers are signed out within seconds. This one stays signed in.",
    act: "End 3 sessions",
  });
});
