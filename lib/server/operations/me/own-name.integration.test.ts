import { expect } from "vitest";
import { createPerson } from "@/lib/server/store/people/people";
import { databaseTest } from "@/lib/server/store/test-database";
import { ownName } from "./own-name";

const test = databaseTest();

test("is a name that no other account has", async ({ db: { database } }) => {
  const account = async (email: string, name: string) => ({
    id: await createPerson(database.orm, { email, name, passwordHash: null, grants: [] }),
    name,
  });
  const ana = await account("ana@example.com", "Ana");
  const bo = await account("bo@example.com", "Bo");
  expect(await ownName({ database }, ana)).toBe("Ana");
  await account("other-ana@example.com", "Ana");
  expect(await ownName({ database }, ana)).toBeNull();
  expect(await ownName({ database }, bo)).toBe("Bo");
});
