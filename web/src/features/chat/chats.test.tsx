import { act, fireEvent, screen, waitFor, within } from "@testing-library/react";
import { beforeEach, expect, test, vi } from "vitest";
import { lowDataChoice } from "@/lib/low-data";
import { serveTheZone } from "@/test/battle";
import {
  aMessage,
  type ChatServer,
  chatting,
  line,
  messages,
  rows,
  serveTheChat,
  tell,
} from "@/test/chat";
import { aSession } from "@/test/factories";
import { sockets } from "@/test/fake-socket";
import { place } from "@/test/fake-virtua";
import { openAppAsMember } from "@/test/render";
import { envelope, serve } from "@/test/server";

vi.mock("socket.io-client", async () => (await import("@/test/fake-socket")).fakeLibrary);
vi.mock("virtua", () => import("@/test/fake-virtua"));

let chat: ChatServer;

beforeEach(() => {
  chat = serveTheChat();
});

const USER_LIST = {
  Enyimba: [
    { id: "member-1", firstName: "Ada Grace", lastName: "Obi", avatar: null },
    { id: "member-2", firstName: "Bello", lastName: "Musa", avatar: "/media/bello.webp" },
  ],
  Public: [{ id: "member-1", firstName: "Ada Grace", lastName: "Obi", avatar: null }],
  counts: { Enyimba: 12, Public: 1240 },
  last: { Enyimba: 0, Public: 0 },
};

test("the member joins first, and only then a line of its own opens with token and identity", async () => {
  let letIn = () => {};
  const joins = serve("post", "/api/v1/join-chat", async () => {
    await new Promise<void>((resolve) => {
      letIn = resolve;
    });
    return envelope(200, { rooms: chat.rooms });
  });
  openAppAsMember("/chats");
  expect(
    await screen.findByText("Communicate with your club and also with others"),
  ).toBeInTheDocument();
  await waitFor(() => expect(joins).not.toHaveLength(0));
  expect(joins.at(-1)?.body).toEqual({ clubName: "Enyimba", id: "member-1" });
  expect(sockets).toHaveLength(0);

  letIn();
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

test("without a last name nothing is joined and nothing connects", async () => {
  openAppAsMember("/chats", aSession({ lastName: "" }));

  expect(await screen.findByText("Your account is not complete")).toBeInTheDocument();
  expect(chat.joins).toHaveLength(0);
  expect(sockets).toHaveLength(0);
});

test("empty rooms say so, each in its own words, and arrow keys change the tab", async () => {
  const { user, socket } = await chatting();
  await tell(socket, "userList", USER_LIST);
  const club = screen.getByRole("tab", { name: "Enyimba 12 online" });
  expect(club).toHaveAttribute("aria-selected", "true");
  expect(screen.getByText("No club chats at the moment.")).toBeInTheDocument();

  act(() => club.focus());
  await user.keyboard("{ArrowRight}");

  const open = screen.getByRole("tab", { name: "Public 1,240 online" });
  expect(open).toHaveFocus();
  expect(open).toHaveAttribute("aria-selected", "true");
  expect(await screen.findByText("No public chats at the moment.")).toBeInTheDocument();
  expect(screen.getByRole("tabpanel", { name: /Public/ })).toBeInTheDocument();
  expect(sockets.filter(({ closed }) => !closed)).toHaveLength(1);
});

test("the side list names who is here, with letters in the colour of the last name", async () => {
  const { socket } = await chatting();
  await tell(socket, "userList", USER_LIST);

  const people = within(screen.getByRole("complementary", { name: "Online in Enyimba" }));
  expect(people.getAllByRole("listitem").map((item) => item.textContent)).toEqual([
    "OAda Grace Obi (you)",
    "Bello Musa",
  ]);
  expect(people.getByText("O")).toHaveClass("avatar-colour-2");
  expect(people.getByText("and 10 more")).toBeInTheDocument();
});

test("with low data no pictures of members are loaded, only letters", async () => {
  lowDataChoice.write(true);
  chat.stored["Enyimba"] = [aMessage(1, { avatar: "/media/bello.webp" })];
  const { socket } = await chatting();
  await tell(socket, "userList", USER_LIST);

  expect(screen.getAllByText("M", { selector: ".avatar" })).toHaveLength(2);
  expect(document.querySelector('img[src="/media/bello.webp"]')).toBeNull();
});

test("messages show their sender once, links that open safely, and no markup", async () => {
  chat.stored["Enyimba"] = [
    aMessage(1, { chat_message: "See https://example.com/x." }),
    aMessage(2, { chat_message: "<b onclick=alert(1)>Goal</b>" }),
  ];
  await chatting();

  expect(screen.getByRole("link", { name: "https://example.com/x" })).toHaveAttribute(
    "rel",
    "noopener noreferrer nofollow",
  );
  expect(screen.getByText(/<b onclick=alert\(1\)>Goal<\/b>/)).toBeInTheDocument();
  expect(
    screen.getAllByText("Bello Musa").map((name) => name.classList.contains("visually-hidden")),
  ).toEqual([false, true]);
});

test("Enter sends: the message is there at once, on its way, and then sent", async () => {
  const { user, socket, field } = await chatting();

  await user.type(field, "  Up Enyimba!  {Enter}");

  expect(field).toHaveValue("");
  expect(rows().at(-1)).toContain("Up Enyimba!Sending…");
  const sent = socket.of("message")[0];
  expect(sent?.content).toEqual({
    user_id: "member-1",
    club: "Enyimba",
    chat_message: "Up Enyimba!",
    lastname: "Obi",
    time: expect.any(Number),
    client_id: expect.stringMatching(/^[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-[89ab][\da-f]{3}-/),
  });
  await act(async () =>
    sent?.acknowledge({ id: "m1", seq: 1, time: Date.parse("2026-11-21T12:30:00Z") }),
  );
  await tell(
    socket,
    "message",
    aMessage(1, { id: "m1", client_id: sent?.content["client_id"], user_id: "member-1" }),
  );

  expect(screen.getAllByText(/Up Enyimba!/)).toHaveLength(1);
  expect(rows().at(-1)).toContain("1:30 pm");
  expect(screen.getByRole("img", { name: "Sent" })).toBeInTheDocument();
});

test("Shift+Enter breaks the line, and neither blanks nor composed letters are sent", async () => {
  const { user, socket, field } = await chatting();
  await user.type(field, "   {Enter}");
  expect(screen.getByRole("button", { name: "Send" })).toBeDisabled();

  await user.clear(field);
  await user.type(field, "one{Shift>}{Enter}{/Shift}two");
  expect(field).toHaveValue("one\ntwo");
  fireEvent.keyDown(field, { key: "Enter", isComposing: true });
  fireEvent.keyDown(field, { key: "Enter", keyCode: 229 });
  expect(socket.of("message")).toHaveLength(0);

  await user.click(screen.getByRole("button", { name: "Send" }));
  expect(socket.of("message")[0]?.content["chat_message"]).toBe("one\ntwo");
});

test("from 900 characters on they are counted, and more than 1,000 are not sent", async () => {
  const { user, socket, field } = await chatting();
  fireEvent.change(field, { target: { value: "😂".repeat(899) } });
  expect(screen.queryByText(/characters/)).toBeNull();
  fireEvent.change(field, { target: { value: "😂".repeat(1000) } });
  expect(screen.getByText("1,000 of 1,000 characters")).toBeInTheDocument();
  expect(screen.getByRole("button", { name: "Send" })).toBeEnabled();

  fireEvent.change(field, { target: { value: "😂".repeat(1001) } });
  expect(field).toBeInvalid();
  expect(screen.getByRole("button", { name: "Send" })).toBeDisabled();
  await user.type(field, "{Enter}");
  expect(socket.of("message")).toHaveLength(0);
});

test("one message is on its way at a time, and the next follows its acknowledgement", async () => {
  const { user, socket, field } = await chatting();
  await user.type(field, "one{Enter}two{Enter}");
  expect(socket.of("message").map(({ content }) => content["chat_message"])).toEqual(["one"]);

  await act(async () => socket.of("message")[0]?.acknowledge({ id: "a", seq: 1, time: 1 }));

  expect(socket.of("message").map(({ content }) => content["chat_message"])).toEqual([
    "one",
    "two",
  ]);
});

test("typed without a network, messages wait, survive a reload, and go out in order once", async () => {
  const first = await chatting();
  await tell(first.socket, "disconnect", "transport close");
  await first.user.type(first.field, "one{Enter}two{Enter}");
  expect(screen.getAllByText("Waiting for the network")).toHaveLength(2);
  expect(first.socket.of("message")).toHaveLength(0);
  first.unmount();

  const { socket } = await chatting();
  await act(async () => socket.of("message")[0]?.acknowledge({ id: "a", seq: 1, time: 1 }));
  await act(async () => socket.of("message")[1]?.acknowledge({ id: "b", seq: 2, time: 2 }));

  expect(socket.of("message").map(({ content }) => content["chat_message"])).toEqual([
    "one",
    "two",
  ]);
  expect(screen.getAllByRole("img", { name: "Sent" })).toHaveLength(2);
  expect(sessionStorage.getItem("chat-queue")).toBeNull();
});

test("a lost acknowledgement is asked for again over a new line, under the same name", async () => {
  const { user, socket, field } = await chatting();
  await user.type(field, "one{Enter}");

  await act(async () => socket.of("message")[0]?.lose());
  const next = await line();
  expect(next).not.toBe(socket);
  await tell(next, "connect");

  expect(next.of("message")[0]?.content["client_id"]).toBe(
    socket.of("message")[0]?.content["client_id"],
  );
});

test("a refusal keeps the message with the server's sentence, for Retry or Delete", async () => {
  const { user, socket, field } = await chatting();
  await user.type(field, "one{Enter}two{Enter}");
  const sentence = "You cannot write here until tomorrow.";
  await act(async () =>
    socket.of("message")[0]?.acknowledge({}, { status: 409, code: "muted", message: sentence }),
  );

  expect(screen.getByText("Not sent")).toBeInTheDocument();
  expect(screen.getByRole("alert")).toHaveTextContent(sentence);
  expect(socket.of("message")[1]?.content["chat_message"]).toBe("two");
  await act(async () => socket.of("message")[1]?.acknowledge({ id: "b", seq: 1, time: 1 }));

  await user.click(screen.getByRole("button", { name: "Retry" }));
  expect(socket.of("message")[2]?.content).toMatchObject({
    chat_message: "one",
    client_id: socket.of("message")[0]?.content["client_id"],
  });
  await act(async () =>
    socket.of("message")[2]?.acknowledge({}, { status: 409, code: "muted", message: sentence }),
  );
  await user.click(screen.getByRole("button", { name: "Delete" }));
  expect(screen.queryByText(/^one/)).toBeNull();
});

test("too many at once wait as long as the server says, and then go on by themselves", async () => {
  const { user, socket, field } = await chatting();
  await user.type(field, "one{Enter}");
  vi.useFakeTimers();
  const rush = { status: 429, code: "too_many_messages", message: "Slow down." };

  await act(async () => socket.of("message")[0]?.acknowledge({ retryAfter: 3 }, rush));
  expect(screen.getByText("Sending…")).toBeInTheDocument();
  await act(() => vi.advanceTimersByTimeAsync(2900));
  expect(socket.of("message")).toHaveLength(1);
  await act(() => vi.advanceTimersByTimeAsync(200));

  expect(socket.of("message")).toHaveLength(2);
});

test("an outage is no refusal: the message goes out again under the same name", async () => {
  const { user, socket, field } = await chatting();
  await user.type(field, "one{Enter}");
  vi.useFakeTimers();
  const outage = { status: 503, code: "unavailable", message: "Please try again." };

  await act(async () => socket.of("message")[0]?.acknowledge({}, outage));
  await act(() => vi.advanceTimersByTimeAsync(1100));

  expect(new Set(socket.of("message").map(({ content }) => content["client_id"])).size).toBe(1);
  expect(socket.of("message")).toHaveLength(2);
  expect(screen.queryByText("Not sent")).toBeNull();
});

test("above a phone's keyboard the screen fills what is left, and all of it again after", async () => {
  const view = Object.assign(new EventTarget(), { height: 740, scale: 1 });
  vi.stubGlobal("visualViewport", view);
  vi.stubGlobal("innerHeight", 740);
  const root = document.documentElement;
  const { unmount } = await chatting();
  expect(root.dataset["filled"]).toBe("chat");

  view.height = 420;
  view.dispatchEvent(new Event("resize"));
  expect(root.dataset["filled"]).toBe("keyboard");
  expect(root.style.getPropertyValue("--visible-height")).toBe("420px");

  view.height = 700;
  view.dispatchEvent(new Event("resize"));
  expect(root.dataset["filled"]).toBe("chat");
  unmount();
  expect(root.dataset["filled"]).toBeUndefined();
  vi.unstubAllGlobals();
});

test("a draft is kept for each tab, through a reload", async () => {
  const { user, field, unmount } = await chatting();
  await user.type(field, "for the club");
  await user.click(screen.getByRole("tab", { name: /Public/ }));
  expect(screen.getByPlaceholderText("Type a message...")).toHaveValue("");
  await user.type(screen.getByPlaceholderText("Type a message..."), "for all");
  unmount();

  const again = await chatting();
  expect(again.field).toHaveValue("for the club");
  await again.user.click(screen.getByRole("tab", { name: /Public/ }));
  expect(screen.getByPlaceholderText("Type a message...")).toHaveValue("for all");
});

test("after a drop everything that was missed is read, a hundred at a time", async () => {
  chat.stored["Enyimba"] = messages(1, 3);
  const { socket } = await chatting();
  await tell(socket, "disconnect", "transport close");
  chat.stored["Enyimba"] = messages(1, 250);

  await tell(socket, "connect");

  expect(await screen.findByText(/^Message 250/)).toBeInTheDocument();
  const cursors = chat.reads.map(({ url }) => url.searchParams.get("after"));
  expect(cursors.slice(-3)).toEqual(["Enyimba-3", "Enyimba-103", "Enyimba-203"]);
  expect(rows().filter((text) => text.includes("Message"))).toHaveLength(250);
});

test("after a long absence the newest page is enough, and the rest is there to scroll back to", async () => {
  chat.stored["Enyimba"] = messages(1, 3);
  Object.assign(place, { scrollSize: 4000 });
  const { socket } = await chatting();
  await tell(socket, "disconnect", "transport close");
  chat.stored["Enyimba"] = messages(1, 900);

  await tell(socket, "userList", { last: { Enyimba: 900 } });
  const readsBefore = chat.reads.length;
  await tell(socket, "connect");

  expect(await screen.findByText(/^Message 900/)).toBeInTheDocument();
  expect(chat.reads).toHaveLength(readsBefore + 1);
  expect(rows().filter((text) => text.includes("Message"))).toHaveLength(50);
  expect(screen.queryByText("Beginning of the chat")).toBeNull();
});

test("a number that is skipped is asked for, and stands in its place", async () => {
  chat.stored["Enyimba"] = messages(1, 3);
  const { socket } = await chatting();
  chat.stored["Enyimba"] = messages(1, 5);

  await tell(socket, "message", aMessage(5));

  expect(await screen.findByText(/^Message 4/)).toBeInTheDocument();
  expect(rows().slice(-2)).toEqual([
    expect.stringContaining("Message 4"),
    expect.stringContaining("Message 5"),
  ]);
});

test("messages of other rooms than the two are not shown anywhere", async () => {
  const { socket } = await chatting();

  await tell(socket, "message", aMessage(1, { club: "Arsenal" }));

  expect(screen.getByText("No club chats at the moment.")).toBeInTheDocument();
  expect(screen.queryByText("1 unread")).toBeNull();
});

test("a message for the other room marks its tab and the menu, and opening it reads it", async () => {
  const { user, socket } = await chatting();
  await tell(socket, "message", aMessage(1, { club: "Public" }));
  chat.stored["Public"] = [aMessage(1, { club: "Public" })];

  const tab = screen.getByRole("tab", { name: /Public .* 1 unread/ });
  expect(await screen.findAllByRole("link", { name: "Chats, 1 unread" })).toHaveLength(2);
  await user.click(tab);

  expect(await screen.findByText(/^Message 1/)).toBeInTheDocument();
  expect(screen.getByText("New messages")).toBeInTheDocument();
  await waitFor(() =>
    expect(socket.of("read").at(-1)?.content).toEqual({ club: "Public", seq: 1 }),
  );
  await waitFor(() => expect(screen.queryByRole("link", { name: /unread/ })).toBeNull());
});

test("who reads back is not moved: a pill counts what is new and leads to it", async () => {
  chat.stored["Enyimba"] = messages(1, 30);
  chat.rooms = chat.rooms.map((room) => ({ ...room, lastReadSeq: 30, lastSeq: 30 }));
  const { user, socket } = await chatting();
  const list = screen.getByRole("log", { name: "Messages of Enyimba" });
  Object.assign(place, { scrollSize: 2000, scrollOffset: 2000 - 400 - 121 });
  fireEvent.scroll(list);

  await tell(socket, "message", aMessage(31));
  await tell(socket, "message", aMessage(32));
  expect(place.scrollOffset).toBe(1479);
  await user.click(screen.getByRole("button", { name: "2 new messages" }));

  expect(place.scrollOffset).toBe(1600);
  fireEvent.scroll(list);
  expect(screen.queryByRole("button", { name: /new message/ })).toBeNull();
});

test("within 120 px of the end, and for one's own message from anywhere, the list follows", async () => {
  chat.stored["Enyimba"] = messages(1, 30);
  const { user, socket, field } = await chatting();
  const list = screen.getByRole("log", { name: "Messages of Enyimba" });
  Object.assign(place, { scrollSize: 2000, scrollOffset: 2000 - 400 - 120 });
  fireEvent.scroll(list);
  await tell(socket, "message", aMessage(31));
  expect(place.scrollOffset).toBe(1600);

  Object.assign(place, { scrollOffset: 700 });
  fireEvent.scroll(list);
  await user.type(field, "mine{Enter}");
  expect(place.scrollOffset).toBe(1600);
});

test("near the start older messages are fetched, until the beginning of the chat", async () => {
  chat.stored["Enyimba"] = messages(1, 80);
  Object.assign(place, { scrollSize: 4000 });
  await chatting();
  const list = screen.getByRole("log", { name: "Messages of Enyimba" });
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

test("a new message of somebody else is said to screen readers, history is not", async () => {
  chat.stored["Enyimba"] = messages(1, 2);
  const { socket } = await chatting();
  const said = () => screen.getAllByRole("status").map((region) => region.textContent);
  expect(said().join()).not.toContain("Message");

  await tell(socket, "message", aMessage(3));

  expect(said()).toContain("Bello: Message 3");
});

test("what a moderator hides goes from the screen", async () => {
  chat.stored["Enyimba"] = messages(1, 2);
  const { socket } = await chatting();

  await tell(socket, "message_hidden", { id: "Enyimba-1", club: "Enyimba" });

  expect(screen.queryByText(/^Message 1/)).toBeNull();
  expect(screen.getByText(/^Message 2/)).toBeInTheDocument();
});

test("a message of somebody else can be reported with a reason", async () => {
  chat.stored["Enyimba"] = [aMessage(1), aMessage(2, { user_id: "member-1" })];
  const reports = serve("post", "/api/v1/chat-reports", () => envelope(201, {}));
  const { user } = await chatting();
  const buttons = screen.getAllByRole("button", { name: /^Report the message/ });
  expect(buttons).toHaveLength(1);

  await user.click(buttons[0] as HTMLElement);
  await user.click(screen.getByRole("radio", { name: "Insults or threats" }));
  await user.click(screen.getByRole("button", { name: "Report" }));

  expect(await screen.findByText("Thank you. Our moderators will look at it.")).toBeInTheDocument();
  expect(reports[0]?.body).toEqual({ messageId: "Enyimba-1", reason: "abuse" });
  expect(screen.queryByRole("dialog")).toBeNull();
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
  await tell(socket, "disconnect", "transport close");
  await act(async () => socket.hearFromManager("reconnect_failed"));
  await user.click(screen.getByRole("button", { name: "Reconnect" }));
  const second = await line();
  expect(second).not.toBe(socket);
  await act(async () => second.hearFromManager("reconnect_failed"));

  await act(async () => window.dispatchEvent(new Event("online")));

  await waitFor(() => expect(sockets.at(-1)).not.toBe(second));
  await tell(await line(), "connect");
  expect(screen.queryByRole("button", { name: "Reconnect" })).toBeNull();
});

test("without a network the chat says that messages wait", async () => {
  await chatting();
  const online = vi.spyOn(navigator, "onLine", "get").mockReturnValue(false);
  await act(async () => window.dispatchEvent(new Event("offline")));

  expect(
    screen.getByText("You are offline. Messages are sent when the network returns."),
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

test("a server that hangs up is called again after a second", async () => {
  const { socket } = await chatting();
  vi.useFakeTimers();

  await tell(socket, "disconnect", "io server disconnect");
  await act(() => vi.advanceTimersByTimeAsync(1001));

  expect(sockets.at(-1)).not.toBe(socket);
});

test("a member who is not let in joins again first, and gives up after five times", async () => {
  const { socket } = await chatting();
  const joinsBefore = chat.joins.length;
  await tell(socket, "disconnect", "transport close");
  vi.useFakeTimers();
  for (let time = 0; time < 6; time += 1) {
    const refused = sockets.findLast(({ closed }) => !closed);
    if (refused !== undefined) {
      refused.active = false;
      await tell(refused, "connect_error", Object.assign(new Error(), { data: { code: "x" } }));
    }
    await act(() => vi.advanceTimersByTimeAsync(1100));
    vi.useRealTimers();
    await act(() => new Promise((resolve) => setTimeout(resolve, 50)));
    vi.useFakeTimers();
  }

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
