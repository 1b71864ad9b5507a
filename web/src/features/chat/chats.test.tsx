import { act, fireEvent, screen, waitFor, within } from "@testing-library/react";
import { beforeEach, expect, test } from "vitest";
import { lowDataChoice } from "@/lib/device/low-data";
import { aMessage, type ChatServer, chatting, messages, receive, serveTheChat } from "@/test/chat";
import { aSession } from "@/test/factories";
import { sockets } from "@/test/fake-socket";
import { place } from "@/test/fake-virtua";
import { openAppAsMember } from "@/test/render";
import { envelope, serve } from "@/test/server";

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

test("without a last name nothing is joined and nothing connects", async () => {
  openAppAsMember("/chats", aSession({ lastName: "" }));

  expect(await screen.findByText("Your account is not complete")).toBeInTheDocument();
  expect(chat.joins).toHaveLength(0);
  expect(sockets).toHaveLength(0);
});

test("empty rooms say so, each in its own words, and arrow keys change the tab", async () => {
  const { user, socket } = await chatting();
  await receive(socket, "userList", USER_LIST);
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
  await receive(socket, "userList", USER_LIST);

  const people = within(screen.getByRole("complementary", { name: "Online in Enyimba" }));
  expect(people.getAllByRole("listitem").map((item) => item.textContent)).toEqual([
    "OObi Ada (you)",
    "Musa Bello",
  ]);
  expect(people.getByText("O")).toHaveClass("avatar-colour-2");
  expect(people.getByText("and 10 more")).toBeInTheDocument();
});

test("with low data no pictures of members are loaded, only letters", async () => {
  lowDataChoice.write(true);
  chat.stored["Enyimba"] = [aMessage(1, { avatar: "/media/bello.webp" })];
  const { socket } = await chatting();
  await receive(socket, "userList", USER_LIST);

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
    screen.getAllByText("Musa Bello").map((name) => name.classList.contains("visually-hidden")),
  ).toEqual([false, true]);
});

test("a message for the other room marks its tab and the menu, and opening it reads it", async () => {
  const { user, socket } = await chatting();
  await receive(socket, "message", aMessage(1, { club: "Public" }));
  chat.stored["Public"] = [aMessage(1, { club: "Public" })];

  const tab = screen.getByRole("tab", { name: /Public .* 1 unread/ });
  await waitFor(() =>
    expect(screen.getAllByRole("link", { name: "Chats, 1 unread" })).toHaveLength(2),
  );
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
  const list = screen.getByRole("log", { name: "Messages in Enyimba" });
  Object.assign(place, { scrollSize: 2000, scrollOffset: 2000 - 400 - 121 });
  fireEvent.scroll(list);

  await receive(socket, "message", aMessage(31));
  await receive(socket, "message", aMessage(32));
  expect(place.scrollOffset).toBe(1479);
  await user.click(screen.getByRole("button", { name: "2 new messages" }));

  expect(place.scrollOffset).toBe(1600);
  fireEvent.scroll(list);
  expect(screen.queryByRole("button", { name: /new message/ })).toBeNull();
});

test("within 120 px of the end, and for one's own message from anywhere, the list follows", async () => {
  chat.stored["Enyimba"] = messages(1, 30);
  const { user, socket, field } = await chatting();
  const list = screen.getByRole("log", { name: "Messages in Enyimba" });
  Object.assign(place, { scrollSize: 2000, scrollOffset: 2000 - 400 - 120 });
  fireEvent.scroll(list);
  await receive(socket, "message", aMessage(31));
  expect(place.scrollOffset).toBe(1600);

  Object.assign(place, { scrollOffset: 700 });
  fireEvent.scroll(list);
  await user.type(field, "mine{Enter}");
  expect(place.scrollOffset).toBe(1600);
});

test("a new message of somebody else is said to screen readers, history is not", async () => {
  chat.stored["Enyimba"] = messages(1, 2);
  const { socket } = await chatting();
  const said = () => screen.getAllByRole("status").map((region) => region.textContent);
  expect(said().join()).not.toContain("Message");

  await receive(socket, "message", aMessage(3));

  expect(said()).toContain("Musa Bello: Message 3");
});

test("a message of somebody else can be reported with a reason", async () => {
  chat.stored["Enyimba"] = [aMessage(1), aMessage(2, { user_id: "member-1" })];
  const reports = serve("post", "/api/v1/chat-reports", () => envelope(201, {}));
  const { user } = await chatting();
  await user.click(screen.getByRole("button", { name: "Options for Musa Bello's message" }));
  await user.click(screen.getByRole("button", { name: "Report" }));
  await user.click(screen.getByRole("radio", { name: "Insults or threats" }));
  await user.click(screen.getByRole("button", { name: "Report" }));

  expect(await screen.findByText("Thank you. Our moderators will look at it.")).toBeInTheDocument();
  expect(reports[0]?.body).toEqual({ messageId: "Enyimba-1", reason: "abuse" });
  expect(screen.queryByRole("dialog")).toBeNull();
});
