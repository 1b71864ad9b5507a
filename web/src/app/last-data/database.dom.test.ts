import { expect, test, vi } from "vitest";
import { readRows, writeRows } from "@/app/last-data/database";
import { beginSession, endSession } from "@/lib/session/session";
import { aSession } from "@/test/factories";

const ROW = { key: "balance", text: "5", updatedAt: 1 };

/** A browser storage that opens when the test says so; e2e tests the real one. */
function storage() {
  const database = { close: vi.fn(), transaction: vi.fn(), onversionchange: null };
  const request: { result: typeof database; onsuccess: () => void } = {
    result: database,
    onsuccess: () => undefined,
  };
  const open = vi.fn(() => request);
  const deleteDatabase = vi.fn();
  vi.stubGlobal("indexedDB", { open, deleteDatabase });
  return { database, open, deleteDatabase, opens: () => request.onsuccess() };
}

test.each(["left", "expired"] as const)(
  "the end of a session (%s) starts the deletion at once, and nothing is opened after it",
  async (reason) => {
    const { open, deleteDatabase } = storage();
    beginSession(aSession());

    endSession(reason);
    expect(deleteDatabase).toHaveBeenCalledExactlyOnceWith("kof-member-1");
    await writeRows("member-1", [ROW]);
    await readRows("member-1");

    expect(open).not.toHaveBeenCalled();
  },
);

test("a write whose opening was under way at the end writes nothing and removes it again", async () => {
  const { database, deleteDatabase, opens } = storage();
  beginSession(aSession());
  const writing = writeRows("member-1", [ROW]);

  endSession("left");
  opens();
  await writing;

  expect(database.transaction).not.toHaveBeenCalled();
  expect(database.close).toHaveBeenCalled();
  expect(deleteDatabase).toHaveBeenCalledTimes(2);
});

test("another member's sign-in removes what the last one saw, the same member's does not", () => {
  const { deleteDatabase } = storage();
  beginSession(aSession());
  beginSession(aSession({ userToken: "a newer one" }));
  expect(deleteDatabase).not.toHaveBeenCalled();

  beginSession(aSession({ id: "bello" }));

  expect(deleteDatabase).toHaveBeenCalledExactlyOnceWith("kof-member-1");
});

test("an open connection gives way to a deletion that another tab asks for", async () => {
  const { database, opens } = storage();
  beginSession(aSession());
  void readRows("member-1");
  opens();

  (database.onversionchange as unknown as () => void)();

  expect(database.close).toHaveBeenCalled();
});

test("where storage is forbidden nothing is kept and nothing fails", async () => {
  vi.stubGlobal("indexedDB", undefined);
  beginSession(aSession());

  await writeRows("member-1", [ROW]);
  expect(await readRows("member-1")).toEqual([]);
  expect(() => endSession("left")).not.toThrow();
});
