import { screen, waitFor } from "@testing-library/react";
import { expect, test } from "vitest";
import { openAppAsMember } from "@/test/render";
import { envelope, serve } from "@/test/server";

function serveUnread(club: number, open: number) {
  return serve("get", "/api/v1/chat-unread", () =>
    envelope(200, {
      rooms: [
        { club: "Enyimba", unread: club, lastReadSeq: 0, lastSeq: club },
        { club: "Public", unread: open, lastReadSeq: 0, lastSeq: open },
      ],
    }),
  );
}

test.each([
  [2, 1, "Chats, 3 unread"],
  [100, 0, "Chats, 99+ unread"],
  [60, 40, "Chats, 99+ unread"],
])("%i and %i unread messages are told by both menus, in words too", async (club, open, name) => {
  serveUnread(club, open);
  openAppAsMember("/backups");

  await waitFor(() => expect(screen.getAllByRole("link", { name })).toHaveLength(2));
});

test("without unread messages there is no badge", async () => {
  const asked = serveUnread(0, 0);
  openAppAsMember("/backups");

  await waitFor(() => expect(asked).not.toHaveLength(0));
  expect(screen.getAllByRole("link", { name: "Chats" })).toHaveLength(2);
});
