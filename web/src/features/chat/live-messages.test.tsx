import { act, fireEvent, screen, waitFor } from "@testing-library/react";
import { beforeEach, expect, test, vi } from "vitest";
import { serveTheZone } from "@/test/battle";
import {
  aMessage,
  type ChatServer,
  chatting,
  line,
  messages,
  receive,
  rows,
  serveTheChat,
} from "@/test/chat";
import { sockets } from "@/test/fake-socket";
import { place } from "@/test/fake-virtua";
import { openAppAsMember } from "@/test/render";
import { envelope, serve } from "@/test/server";

let chat: ChatServer;

beforeEach(() => {
  chat = serveTheChat();
});

test("the member joins first, and only then a line of its own opens with token and identity", async () => {
  let join = () => {};
  const mayJoin = new Promise<void>((resolve) => {
    join = resolve;
  });
  const joins = serve("post", "/api/v1/join-chat", async () => {
    await mayJoin;
    return envelope(200, { rooms: chat.rooms });
  });
  openAppAsMember("/chats");
  expect(
    await screen.findByText("Communicate with your club and also with others"),
  ).toBeInTheDocument();
  await waitFor(() => expect(joins).not.toHaveLength(0));
  expect(joins.at(-1)?.body).toEqual({ clubName: "Enyimba", id: "member-1" });
  expect(sockets).toHaveLength(0);

  join();
  const socket = await line();

  expect(socket.namespace).toBe("/chat");
  expect(socket.options).toMatchObject({
    auth: {
      token: "token-of-ada",
      user: { id: "member-1", lastName: "Obi", clubName: "Enyimba" },
    },
    query: { userId: "member-1", clubId: "club-1" },
    forceNew: true,
    transports: ["websocket"],
    reconnectionAttempts: 5,
    reconnectionDelay: 1000,
  });
  expect(sockets.filter(({ closed }) => !closed)).toHaveLength(1);
});

// Repeated: once the screen is warm, a response arrives before the previous effects run.
test("after a drop everything that was missed is read, a hundred at a time", {
  repeats: 5,
}, async () => {
  chat.stored["Enyimba"] = messages(1, 3);
  const { socket } = await chatting();
  await receive(socket, "disconnect", "transport close");
  chat.stored["Enyimba"] = messages(1, 250);

  await receive(socket, "connect");

  expect(await screen.findByText(/^Message 250/)).toBeInTheDocument();
  const cursors = chat.reads.map(({ url }) => url.searchParams.get("after"));
  expect(cursors.slice(-3)).toEqual(["Enyimba-3", "Enyimba-103", "Enyimba-203"]);
  expect(rows().filter((text) => text.includes("Message"))).toHaveLength(250);
});

test("after a long absence the newest page is enough, and the rest is there to scroll back to", async () => {
  chat.stored["Enyimba"] = messages(1, 3);
  Object.assign(place, { scrollSize: 4000 });
  const { socket } = await chatting();
  await receive(socket, "disconnect", "transport close");
  chat.stored["Enyimba"] = messages(1, 900);

  await receive(socket, "userList", { last: { Enyimba: 900 } });
  const readsBefore = chat.reads.length;
  await receive(socket, "connect");

  expect(await screen.findByText(/^Message 900/)).toBeInTheDocument();
  expect(chat.reads).toHaveLength(readsBefore + 1);
  expect(rows().filter((text) => text.includes("Message"))).toHaveLength(50);
  expect(screen.queryByText("Beginning of the chat")).toBeNull();
});

test("a number that is skipped is asked for, and stands in its place", async () => {
  chat.stored["Enyimba"] = messages(1, 3);
  const { socket } = await chatting();
  chat.stored["Enyimba"] = messages(1, 5);

  await receive(socket, "message", aMessage(5));

  expect(await screen.findByText(/^Message 4/)).toBeInTheDocument();
  expect(rows().slice(-2)).toEqual([
    expect.stringContaining("Message 4"),
    expect.stringContaining("Message 5"),
  ]);
});

test("messages of other rooms than the two are not shown anywhere", async () => {
  const { socket } = await chatting();

  await receive(socket, "message", aMessage(1, { club: "Arsenal" }));

  expect(screen.getByText("No club chats at the moment.")).toBeInTheDocument();
  expect(screen.queryByText("1 unread")).toBeNull();
});

test("near the start older messages are fetched, until the beginning of the chat", async () => {
  chat.stored["Enyimba"] = messages(1, 80);
  Object.assign(place, { scrollSize: 4000 });
  await chatting();
  const list = screen.getByRole("log", { name: "Messages in Enyimba" });
  expect(screen.queryByText("Beginning of the chat")).toBeNull();
  Object.assign(place, { scrollOffset: 100 });

  fireEvent.scroll(list);

  expect(await screen.findByText("Beginning of the chat")).toBeInTheDocument();
  expect(chat.reads.at(-1)?.url.searchParams.get("before")).toBe("Enyimba-31");
  expect(rows().filter((text) => text.includes("Message"))).toHaveLength(80);
  expect(list).toHaveAttribute("data-shift", "true");
  expect(screen.getAllByRole("status").map((region) => region.textContent)).not.toContain(
    expect.stringContaining("Message"),
  );
});

test("what a moderator hides goes from the screen", async () => {
  chat.stored["Enyimba"] = messages(1, 2);
  const { socket } = await chatting();

  await receive(socket, "message_hidden", { id: "Enyimba-1", club: "Enyimba" });

  expect(screen.queryByText(/^Message 1/)).toBeNull();
  expect(screen.getByText(/^Message 2/)).toBeInTheDocument();
});

test("a failed join is no toast: the room says it, and Retry joins", async () => {
  chat.isDown = true;
  const { user } = openAppAsMember("/chats");
  expect(await screen.findByText("Couldn't load messages.")).toBeInTheDocument();
  expect(sockets).toHaveLength(0);
  expect(document.querySelector(".toast")).toBeNull();

  chat.isDown = false;
  await user.click(screen.getByRole("button", { name: "Retry" }));

  expect(await screen.findByText("No club chats at the moment.")).toBeInTheDocument();
});

test("a history that does not load is no toast either, and Retry asks again", async () => {
  const { user, socket } = await chatting();
  chat.isDown = true;
  await user.click(screen.getByRole("tab", { name: /Public/ }));
  expect(await screen.findByText("Couldn't load messages.")).toBeInTheDocument();
  expect(document.querySelector(".toast")).toBeNull();

  chat.isDown = false;
  chat.stored["Public"] = [aMessage(1, { club: "Public" })];
  await user.click(screen.getByRole("button", { name: "Retry" }));

  expect(await screen.findByText(/^Message 1/)).toBeInTheDocument();
  expect(socket.closed).toBe(false);
});

test("five failed tries offer Reconnect, and the network's return connects by itself", async () => {
  const { user, socket } = await chatting();
  await receive(socket, "disconnect", "transport close");
  await act(async () => socket.emitFromManager("reconnect_failed"));
  await user.click(screen.getByRole("button", { name: "Reconnect" }));
  const second = await line();
  expect(second).not.toBe(socket);
  await act(async () => second.emitFromManager("reconnect_failed"));

  await act(async () => window.dispatchEvent(new Event("online")));

  await waitFor(() => expect(sockets.at(-1)).not.toBe(second));
  await receive(await line(), "connect");
  expect(screen.queryByRole("button", { name: "Reconnect" })).toBeNull();
});

test("without a network the chat says that messages wait", async () => {
  await chatting();
  const online = vi.spyOn(navigator, "onLine", "get").mockReturnValue(false);
  await act(async () => window.dispatchEvent(new Event("offline")));

  expect(
    screen.getByText("You are offline. Messages will be sent when you are back online."),
  ).toBeInTheDocument();
  online.mockReturnValue(true);
  await act(async () => window.dispatchEvent(new Event("online")));
  expect(screen.queryByText(/Messages are sent/)).toBeNull();
});

test("a line that only seems to be open is found out when the network has changed", async () => {
  const { socket } = await chatting();

  await act(async () => window.dispatchEvent(new Event("online")));
  await act(async () => socket.of("read").at(-1)?.lose());

  expect(socket.closed).toBe(true);
  expect(await line()).not.toBe(socket);
});

test("a server that hangs up is called again a little later", async () => {
  const { socket } = await chatting();
  vi.useFakeTimers();

  await receive(socket, "disconnect", "io server disconnect");
  await act(() => vi.advanceTimersByTimeAsync(3001));

  expect(sockets.at(-1)).not.toBe(socket);
});

test("a member who is not let in joins again first, and gives up after five times", async () => {
  const { socket } = await chatting();
  const joinsBefore = chat.joins.length;
  await receive(socket, "disconnect", "transport close");
  const refuse = async () => {
    const refused = await line();
    vi.useFakeTimers();
    refused.active = false;
    await receive(refused, "connect_error", Object.assign(new Error(), { data: { code: "x" } }));
    await act(() => vi.advanceTimersByTimeAsync(3100));
    vi.useRealTimers();
    return refused;
  };
  for (let time = 0; time < 5; time += 1) {
    const refused = await refuse();
    await waitFor(() => expect(sockets.at(-1)).not.toBe(refused));
  }
  await refuse();

  expect(chat.joins.length - joinsBefore).toBe(5);
  expect(screen.getByRole("button", { name: "Reconnect" })).toBeInTheDocument();
});

test("leaving tells what was read, and closes the line", async () => {
  serveTheZone();
  chat.stored["Enyimba"] = messages(1, 2);
  const { user, socket } = await chatting();

  await user.click(screen.getAllByRole("link", { name: "Battle Zone" })[0] as HTMLElement);

  await waitFor(() => expect(socket.closed).toBe(true));
  expect(socket.of("read").at(-1)?.content).toEqual({ club: "Enyimba", seq: 2 });
});
