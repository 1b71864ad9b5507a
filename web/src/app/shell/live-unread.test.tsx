import { act, screen, waitFor } from "@testing-library/react";
import { beforeEach, expect, test, vi } from "vitest";
import { serveTheChat } from "@/test/chat";
import { type FakeSocket, shellSockets } from "@/test/fake-socket";
import { serveTheGames } from "@/test/games";
import { openAppAsMember } from "@/test/render";
import { envelope, type SeenRequest, serve } from "@/test/server";

let unread = { club: 1, open: 0 };
let last = { club: 5, open: 9 };
let asked: SeenRequest[] = [];

beforeEach(() => {
  shellSockets.length = 0;
  unread = { club: 1, open: 0 };
  last = { club: 5, open: 9 };
  asked = serve("get", "/api/v1/chat-unread", () =>
    envelope(200, {
      rooms: [
        { club: "Enyimba", unread: unread.club, lastReadSeq: 0, lastSeq: last.club },
        { club: "Public", unread: unread.open, lastReadSeq: 0, lastSeq: last.open },
      ],
    }),
  );
});

async function channel(): Promise<FakeSocket> {
  await waitFor(() => expect(shellSockets.filter(({ closed }) => !closed)).toHaveLength(1));
  return shellSockets.find(({ closed }) => !closed) as FakeSocket;
}

async function opened(address = "/backups") {
  const app = openAppAsMember(address);
  const socket = await channel();
  await waitFor(() =>
    expect(screen.getAllByRole("link", { name: "Chats, 1 unread" })).toHaveLength(2),
  );
  asked.length = 0;
  return { ...app, socket };
}

function move(socket: FakeSocket, club: string, seq: number) {
  return act(async () => socket.emitToClient("room_moved", { club, last: seq }));
}

function setVisibility(state: "visible" | "hidden") {
  vi.spyOn(document, "visibilityState", "get").mockReturnValue(state);
  return act(async () => document.dispatchEvent(new Event("visibilitychange")));
}

test("a room that moves is asked about, and the badges of both menus follow", async () => {
  const { socket } = await opened();
  unread.club = 2;
  last.club = 6;

  await move(socket, "Enyimba", 6);

  await waitFor(() =>
    expect(screen.getAllByRole("link", { name: "Chats, 2 unread" })).toHaveLength(2),
  );
  expect(asked).toHaveLength(1);
});

test("what is known already, and rooms of others, are not asked about", async () => {
  const { socket } = await opened();

  await move(socket, "Enyimba", 5);
  await move(socket, "Arsenal", 50);
  await act(async () => socket.emitToClient("room_moved", "nonsense"));

  expect(asked).toHaveLength(0);
});

test("rooms that move at once are asked about one question at a time, until all is known", async () => {
  let answer = () => {};
  const { socket } = await opened();
  let running = 0;
  let maxRunning = 0;
  asked = serve("get", "/api/v1/chat-unread", async () => {
    running += 1;
    maxRunning = Math.max(maxRunning, running);
    const sent = { ...last };
    await new Promise<void>((resolve) => {
      answer = resolve;
    });
    running -= 1;
    return envelope(200, {
      rooms: [
        { club: "Enyimba", unread: sent.club - 5, lastReadSeq: 5, lastSeq: sent.club },
        { club: "Public", unread: sent.open - 9, lastReadSeq: 9, lastSeq: sent.open },
      ],
    });
  });

  last.club = 6;
  await move(socket, "Enyimba", 6);
  await waitFor(() => expect(running).toBe(1));
  last.open = 11;
  await move(socket, "Public", 10);
  await move(socket, "Public", 11);
  expect(asked).toHaveLength(1);
  await act(async () => answer());
  await waitFor(() => expect(asked).toHaveLength(2));
  await act(async () => answer());

  await waitFor(() =>
    expect(screen.getAllByRole("link", { name: "Chats, 3 unread" })).toHaveLength(2),
  );
  expect(asked).toHaveLength(2);
  expect(maxRunning).toBe(1);
});

test("a badge that cannot grow is left alone", async () => {
  unread.open = 100;
  openAppAsMember("/backups");
  const socket = await channel();
  await waitFor(() =>
    expect(screen.getAllByRole("link", { name: "Chats, 99+ unread" })).toHaveLength(2),
  );

  asked.length = 0;
  await move(socket, "Public", 500);

  expect(asked).toHaveLength(0);
});

test("the room being read is not asked about: the open chat knows better", async () => {
  const { socket, user } = await opened();
  serveTheChat();
  const [link] = screen.getAllByRole("link", { name: "Chats, 1 unread" });
  await user.click(link as HTMLElement);
  await screen.findByRole("tab", { name: /Enyimba/ });
  // Strict mode has already left the chat once, which refetches a little later.
  await waitFor(() => expect(asked).toHaveLength(1));
  await waitFor(() => expect(screen.getAllByRole("link", { name: "Chats" })).toHaveLength(2));
  unread.club = 2;
  last.club = 6;
  asked.length = 0;

  await move(socket, "Enyimba", 6);

  expect(asked).toHaveLength(0);
  expect(screen.getAllByRole("link", { name: "Chats" })).toHaveLength(2);
});

test("one connection is held over all screens while the tab is looked at", async () => {
  serveTheGames();
  serve("get", "/api/v1/payment/wallet-balance/:id", () => envelope(200, { balance: 25_000 }));
  const { socket, user, unmount } = await opened();
  expect(socket.namespace).toBe("/payment");
  await user.click(screen.getByRole("link", { name: "Dashboard" }));
  expect(await screen.findByText("₦25,000.00")).toBeInTheDocument();
  expect(await channel()).toBe(socket);

  await setVisibility("hidden");
  expect(socket.closed).toBe(true);
  await setVisibility("visible");
  expect(await channel()).not.toBe(socket);
  unmount();
  expect(shellSockets.every(({ closed }) => closed)).toBe(true);
});

test("what was missed while the tab was away is asked for when it is connected again", async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true });
  const { socket } = await opened();
  await act(async () => socket.emitToClient("connect"));
  expect(asked).toHaveLength(0);
  await setVisibility("hidden");
  await act(async () => vi.advanceTimersByTimeAsync(11_000));
  unread.open = 2;
  await setVisibility("visible");

  const again = await channel();

  await act(async () => again.emitToClient("connect"));

  await waitFor(() =>
    expect(screen.getAllByRole("link", { name: "Chats, 3 unread" })).toHaveLength(2),
  );
  expect(asked).toHaveLength(1);
});
