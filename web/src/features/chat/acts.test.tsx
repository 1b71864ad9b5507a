import { act, screen, waitFor } from "@testing-library/react";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { aMessage, type ChatServer, chatting, line, receive, serveTheChat } from "@/test/chat";
import type { FakeSocket } from "@/test/fake-socket";

const OFFLINE = "You are offline. Try again when you are connected.";
const UNKNOWN = /^We got no response\./;

let chat: ChatServer;

beforeEach(() => {
  chat = serveTheChat();
  chat.stored["Enyimba"] = [
    aMessage(1, { reactions: { goal: 2 } }),
    aMessage(2, { user_id: "member-1", time: Date.now() }),
    aMessage(3),
  ];
});
afterEach(() => vi.restoreAllMocks());

type User = Awaited<ReturnType<typeof chatting>>["user"];

async function network(isThere: boolean): Promise<void> {
  vi.spyOn(navigator, "onLine", "get").mockReturnValue(isThere);
  await act(async () => window.dispatchEvent(new Event(isThere ? "online" : "offline")));
}

async function openOwnMenu(user: User): Promise<void> {
  await user.click(screen.getByRole("button", { name: "Options for your message" }));
}

/** Press it in the menu, and again in the confirmation. */
async function deleteForAll(user: User): Promise<void> {
  await user.click(screen.getByRole("button", { name: "Delete for all" }));
  await user.click(screen.getByRole("button", { name: "Delete for all" }));
}

const goal = (count: number) => screen.getByRole("button", { name: `Goal, ${count}` });

/** The connection that replaces a dead one. */
async function nextLine(dead: FakeSocket): Promise<FakeSocket> {
  const next = await line();
  expect(next).not.toBe(dead);
  await receive(next, "connect");
  return next;
}

test("what is pressed without a network is refused at once, and not done when it returns", async () => {
  const { user, socket } = await chatting();
  await openOwnMenu(user);
  await network(false);

  await deleteForAll(user);
  await user.click(goal(2));

  expect(await screen.findAllByText(OFFLINE)).not.toHaveLength(0);
  expect(goal(2)).toHaveAttribute("aria-pressed", "false");
  await receive(socket, "disconnect", "transport close");
  await network(true);
  await receive(socket, "connect");
  expect(socket.of("delete_message")).toEqual([]);
  expect(socket.of("react")).toEqual([]);
  expect(screen.queryByText(UNKNOWN)).toBeNull();
});

test("over a connection that slept nothing goes out either, not even with the next one", async () => {
  const { user, socket } = await chatting();
  await openOwnMenu(user);
  socket.isSilent = true;

  await deleteForAll(user);

  expect(await screen.findByText(OFFLINE)).toBeInTheDocument();
  await receive(socket, "disconnect", "ping timeout");
  await receive(socket, "connect");
  expect(socket.of("delete_message")).toEqual([]);
});

test("nobody heard of a deletion that was done: the next connection takes the message away", async () => {
  const { user, socket } = await chatting();
  await openOwnMenu(user);
  await deleteForAll(user);
  await act(async () => socket.of("delete_message")[0]?.lose());
  expect(await screen.findByText(UNKNOWN)).toBeInTheDocument();
  expect(screen.queryByText(OFFLINE)).toBeNull();
  expect(screen.getByText(/^Message 2/)).toBeInTheDocument();
  chat.stored["Enyimba"] = [aMessage(1), aMessage(3)];

  await nextLine(socket);

  await waitFor(() => expect(screen.queryByText(/^Message 2/)).toBeNull());
  expect(screen.getByText(/^Message 3/)).toBeInTheDocument();
});

test("nobody heard of a deletion that was not done: the message stays, and can be deleted", async () => {
  const { user, socket } = await chatting();
  await openOwnMenu(user);
  await deleteForAll(user);
  await act(async () => socket.of("delete_message")[0]?.lose());
  const asked = chat.reads.length;

  const next = await nextLine(socket);

  await waitFor(() => expect(chat.reads.length).toBeGreaterThan(asked));
  expect(screen.getByText(/^Message 2/)).toBeInTheDocument();
  await openOwnMenu(user);
  await deleteForAll(user);
  await act(async () => next.of("delete_message")[0]?.acknowledge({ id: "Enyimba-2" }));
  expect(screen.queryByText(/^Message 2/)).toBeNull();
});

test("nobody heard of a reaction: it is taken back here, and shown as the server has it", async () => {
  const { user, socket } = await chatting();
  await user.click(goal(2));
  expect(goal(3)).toHaveAttribute("aria-pressed", "true");
  await act(async () => socket.of("react")[0]?.lose());
  expect(await screen.findByText(UNKNOWN)).toBeInTheDocument();
  expect(goal(2)).toHaveAttribute("aria-pressed", "false");
  chat.stored["Enyimba"]?.splice(0, 1, aMessage(1, { reactions: { goal: 4 }, mine: "goal" }));
  chat.isDown = true;
  const asked = chat.reads.length;

  await nextLine(socket);
  await waitFor(() => expect(chat.reads.length).toBeGreaterThan(asked));
  chat.isDown = false;

  await waitFor(() => expect(goal(4)).toHaveAttribute("aria-pressed", "true"));
});

test("a line that is given up before the answer's time tells it once, and settles it, too", async () => {
  const { user, socket } = await chatting();
  await user.click(goal(2));
  await act(async () => window.dispatchEvent(new Event("online")));
  await act(async () => socket.of("read").at(-1)?.lose());
  expect(await screen.findAllByText(UNKNOWN)).toHaveLength(1);
  await act(async () => socket.of("react")[0]?.lose());
  expect(screen.getAllByText(UNKNOWN)).toHaveLength(1);
  chat.stored["Enyimba"]?.splice(0, 1, aMessage(1, { reactions: { goal: 3 }, mine: "goal" }));

  await nextLine(socket);

  await waitFor(() => expect(goal(3)).toHaveAttribute("aria-pressed", "true"));
});
