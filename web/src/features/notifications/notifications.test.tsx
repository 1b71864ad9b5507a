import { act, screen, waitFor, within } from "@testing-library/react";
import { beforeEach, expect, test } from "vitest";
import type { Notification, NotificationSettings } from "@/api/wire";
import { type FakeSocket, shellSockets } from "@/test/fake-socket";
import { openAppAsMember } from "@/test/render";
import { envelope, refusal, type SeenRequest, serve } from "@/test/server";

const LIST = "/api/v1/notifications";

const MAIL = {
  money: true,
  orders: true,
  plans: true,
  community: true,
  games: false,
  matches: false,
};

let rows: Notification[] = [];
let settings: NotificationSettings;
let asked: SeenRequest[] = [];

function aNotification(id: string, change: Partial<Notification> = {}): Notification {
  return {
    id,
    kind: "wallet_credited",
    title: `₦5,000 is in your wallet (${id})`,
    body: "Your wallet has been credited with ₦5,000.",
    link: "/calendar",
    data: { amount: 5000 },
    createdAt: "2026-11-23T12:30:00.000Z",
    readAt: null,
    ...change,
  };
}

const countUnread = () => rows.filter(({ readAt }) => readAt === null).length;

function read(isMeant: (row: Notification) => boolean) {
  rows = rows.map((row) => (isMeant(row) ? { ...row, readAt: "2026-11-23T13:00:00.000Z" } : row));
  return envelope(200, { unread: countUnread() });
}

beforeEach(() => {
  shellSockets.length = 0;
  rows = [
    aNotification("n-2"),
    aNotification("n-1", { kind: "order_shipped", title: "Order FC-1 is on its way" }),
  ];
  settings = { mail: MAIL, push: MAIL };
  serve("get", "/api/v1/push/key", () => envelope(200, { publicKey: null }));
  asked = serve("get", LIST, ({ url }) => {
    const before = url.searchParams.get("before");
    const from = before === null ? 0 : rows.findIndex(({ id }) => id === before) + 1;
    const limit = Number(url.searchParams.get("limit"));
    return envelope(200, { unread: countUnread(), rows: rows.slice(from, from + limit) });
  });
  serve("get", `${LIST}/unread`, () => envelope(200, { unread: countUnread() }));
  serve("post", `${LIST}/read-all`, () => read(() => true));
  serve("post", `${LIST}/:id/read`, ({ url }) => {
    const id = url.pathname.split("/").at(-2);
    return read((row) => row.id === id);
  });
  serve("get", `${LIST}/settings`, () => envelope(200, settings));
});

const bell = (name: string) => screen.findByRole("link", { name });
const list = () => within(screen.getByRole("region", { name: "Latest" }));

async function openList() {
  const app = openAppAsMember("/notifications");
  await screen.findByRole("region", { name: "Latest" });
  return app;
}

async function channel(): Promise<FakeSocket> {
  await waitFor(() => expect(shellSockets.filter(({ closed }) => !closed)).toHaveLength(1));
  return shellSockets.find(({ closed }) => !closed) as FakeSocket;
}

test("the bell tells how many are unread, and leads to them", async () => {
  const { user } = openAppAsMember("/calendar");

  await user.click(await bell("Notifications, 2 unread"));

  expect(
    await screen.findByRole("heading", { level: 1, name: "Notifications" }),
  ).toBeInTheDocument();
  await screen.findByRole("region", { name: "Latest" });
  const links = await list().findAllByRole("link");
  expect(links.map((link) => link.textContent)).toEqual([
    expect.stringContaining("Unread: ₦5,000 is in your wallet (n-2)"),
    expect.stringContaining("Unread: Order FC-1 is on its way"),
  ]);
  expect(links[0]).toHaveTextContent("23 November 2026, 1:30 pm");
});

test("more than ninety-nine are not counted, and none has no badge", async () => {
  rows = Array.from({ length: 120 }, (_, index) => aNotification(`n-${index}`));
  const { unmount } = openAppAsMember("/calendar");
  expect(await bell("Notifications, 99+ unread")).toHaveTextContent("99+");
  unmount();

  rows = [];
  openAppAsMember("/calendar");
  expect(await bell("Notifications")).toHaveTextContent("");
});

test("without notifications the screen says so", async () => {
  rows = [];
  await openList();

  expect(await screen.findByText("You have no notifications.")).toBeInTheDocument();
  expect(
    screen.getByText(
      "Updates about your wallet, orders and plans, your club, chats and moments, games and matches appear here.",
    ),
  ).toBeInTheDocument();
});

test("a list that did not come says so and is asked for again", async () => {
  serve("get", LIST, () => refusal(503, "unavailable", "We are having trouble right now."));
  const { user } = await openList();
  expect(await list().findByText("We are having trouble right now.")).toBeInTheDocument();
  serve("get", LIST, () => envelope(200, { unread: 0, rows }));

  await user.click(list().getByRole("button", { name: "Try again" }));

  await waitFor(() => expect(list().getAllByRole("link")).toHaveLength(2));
});

test("one that is opened is read, and leads to what it is about", async () => {
  const { user } = await openList();

  await user.click(await list().findByRole("link", { name: /n-2/ }));

  expect(await bell("Notifications, 1 unread")).toBeInTheDocument();
  expect(await screen.findByRole("heading", { level: 1, name: "Matches" })).toBeInTheDocument();
  expect(rows.map(({ readAt }) => readAt === null)).toEqual([false, true]);
});

test("all are read with one press, which keeps the keyboard where it is", async () => {
  const { user } = await openList();
  const button = await list().findByRole("button", { name: "Mark all as read" });
  await list().findAllByText("Unread:");

  await user.click(button);

  expect(await bell("Notifications")).toBeInTheDocument();
  await waitFor(() => expect(list().queryAllByText("Unread:")).toHaveLength(0));
  expect(button).toBeInTheDocument();
  expect(button).toHaveAttribute("aria-disabled", "true");
});

test("with nothing unread there is nothing to mark", async () => {
  rows = [];
  await openList();
  await list().findByText("You have no notifications.");

  expect(list().queryByRole("button", { name: "Mark all as read" })).toBeNull();
});

test("a reading that fails is told, and everything stays unread", async () => {
  serve("post", `${LIST}/read-all`, () => refusal(503, "unavailable", "Not now."));
  const { user } = await openList();
  await list().findAllByRole("link");

  await user.click(list().getByRole("button", { name: "Mark all as read" }));

  expect(await screen.findByText("Not now.")).toBeInTheDocument();
  expect(await bell("Notifications, 2 unread")).toBeInTheDocument();
});

test("older ones come with a press", async () => {
  rows = Array.from({ length: 25 }, (_, index) => aNotification(`n-${index}`));
  const { user } = await openList();
  await waitFor(() => expect(list().getAllByRole("link")).toHaveLength(20));

  await user.click(list().getByRole("button", { name: "Show older" }));

  await waitFor(() => expect(list().getAllByRole("link")).toHaveLength(25));
  expect(list().queryByRole("button", { name: "Show older" })).not.toBeInTheDocument();
});

test("what the socket tells is on the bell at once, and in the open list", async () => {
  await openList();
  await bell("Notifications, 2 unread");
  const socket = await channel();
  rows = [aNotification("n-3"), ...rows];

  await act(async () =>
    socket.emitToClient("notification", {
      unread: 3,
      notification: { id: "n-3", kind: "wallet_credited", title: "₦5,000 is in your wallet" },
    }),
  );

  expect(await bell("Notifications, 3 unread")).toBeInTheDocument();
  expect(await list().findByRole("link", { name: /n-3/ })).toBeInTheDocument();
});

test("what another phone has read is read here, and nonsense changes nothing", async () => {
  await openList();
  await bell("Notifications, 2 unread");
  const socket = await channel();

  await act(async () => socket.emitToClient("notification", "nonsense"));
  expect(await bell("Notifications, 2 unread")).toBeInTheDocument();
  read(() => true);
  await act(async () => socket.emitToClient("notification", { unread: 0, notification: null }));

  expect(await bell("Notifications")).toBeInTheDocument();
  await waitFor(() => expect(list().queryAllByText("Unread:")).toHaveLength(0));
  expect(asked.length).toBeGreaterThan(1);
});

test("what was told stands under its day", async () => {
  rows = [
    aNotification("n-3", { createdAt: new Date().toISOString() }),
    aNotification("n-2", { createdAt: "2026-11-20T12:30:00.000Z" }),
    aNotification("n-1", { createdAt: "2026-11-20T09:30:00.000Z" }),
  ];
  await openList();

  const today = within(await list().findByRole("region", { name: "Today" }));
  expect(today.getAllByRole("link")).toHaveLength(1);
  const friday = within(list().getByRole("region", { name: "Friday, 20 November 2026" }));
  expect(friday.getAllByRole("link")).toHaveLength(2);
});

const switches = (name: string) => within(screen.getByRole("region", { name }));

test("mail is switched group by group, and the switch goes back when that fails", async () => {
  const chosen = serve("put", `${LIST}/settings`, ({ body }) => {
    settings = body as NotificationSettings;
    return envelope(200, settings);
  });
  const { user } = await openList();
  const orders = await switches("Email").findByRole("switch", { name: "Orders" });
  expect(orders).toBeChecked();

  await user.click(orders);
  await waitFor(() => expect(orders).not.toBeChecked());
  await waitFor(() =>
    expect(chosen.map(({ body }) => body)).toEqual([
      { mail: { ...MAIL, orders: false }, push: MAIL },
    ]),
  );

  serve("put", `${LIST}/settings`, () => refusal(503, "unavailable", "Not now."));
  await user.click(switches("Email").getByRole("switch", { name: "Money" }));
  expect(await screen.findByText("Not now.")).toBeInTheDocument();
  expect(switches("Email").getByRole("switch", { name: "Money" })).toBeChecked();
  expect(orders).not.toBeChecked();
});

test("where the server has no key, nothing is said of push", async () => {
  await openList();
  await switches("Email").findByRole("switch", { name: "Orders" });

  expect(screen.queryByRole("region", { name: "Push" })).not.toBeInTheDocument();
});
