import { screen, within } from "@testing-library/react";
import { beforeEach, expect, test, vi } from "vitest";
import { theStatistics } from "@/test/factories";
import { openAppAsMember } from "@/test/render";
import { envelope, refusal, serve } from "@/test/server";

vi.mock("socket.io-client", () => ({ io: () => ({ on: vi.fn(), close: vi.fn() }) }));

beforeEach(() => {
  serve("get", "/api/v1/dashboard/statistics/:id", () => envelope(200, theStatistics()));
  serve("get", "/api/v1/payment/wallet-balance/:id", () => envelope(200, { balance: 25_000.5 }));
});

test("the member is greeted by first name", async () => {
  openAppAsMember("/");

  expect(await screen.findByText(/Welcome back/)).toHaveTextContent("Welcome back, Ada Grace");
});

test("the profile card shows name, club, badge in words and points", async () => {
  openAppAsMember("/");

  const card = await screen.findByRole("region", { name: "Your profile" });

  expect(within(card).getByRole("heading", { name: "Obi Ada" })).toBeInTheDocument();
  expect(within(card).getByText("Enyimba")).toBeInTheDocument();
  expect(await within(card).findByText("King Of Fans")).toBeInTheDocument();
  expect(within(card).getByText("1,452")).toBeInTheDocument();
});

test("the club ranking shows the place and the count of answered questions", async () => {
  openAppAsMember("/");

  const card = await screen.findByRole("region", { name: "Club ranking" });

  expect(await within(card).findByText("#2")).toBeInTheDocument();
  expect(within(card).getByText("118")).toBeInTheDocument();
});

test("a member without points is told how to enter the ranking", async () => {
  const ranking = { ...theStatistics().ranking, clubRank: null, points: 0 };
  serve("get", "/api/v1/dashboard/statistics/:id", () =>
    envelope(200, theStatistics({ ranking, leaderboard: [], me: { rank: null, points: 0 } })),
  );
  openAppAsMember("/");

  expect(await screen.findByText("Answer a question to enter the ranking")).toBeInTheDocument();
  expect(screen.queryByRole("button", { name: "View all" })).toBeNull();
});

test("the wallet shows naira with separators, and the balance can be hidden", async () => {
  const { user } = openAppAsMember("/");
  expect(await screen.findByText("₦25,000.50")).toBeInTheDocument();

  await user.click(screen.getByRole("button", { name: "Hide balance" }));

  expect(screen.queryByText("₦25,000.50")).toBeNull();
});

test("the leader board has rank, name and points of all rows given, and View all", async () => {
  const { user } = openAppAsMember("/");

  const table = await screen.findByRole("table");
  const rows = within(table)
    .getAllByRole("row")
    .map((row) => row.textContent);

  expect(rows).toEqual(["RankNamePoints", "1MMusa Bello2,000", "2OObi Ada GraceYou1,452"]);
  await user.click(screen.getByRole("button", { name: "View all" }));
  expect(
    within(screen.getByRole("dialog")).getByText("You are number 2 with 1,452 points."),
  ).toBeInTheDocument();
});

test("statistics that fail are told with status and message", async () => {
  serve("get", "/api/v1/dashboard/statistics/:id", () => refusal(503, "unavailable", "Too busy."));
  openAppAsMember("/");

  const card = await screen.findByRole("region", { name: "Club ranking" });

  expect(await within(card).findByRole("alert")).toHaveTextContent(
    /HTTP error! Status: 503, Message: (Service Unavailable|Too busy\.)/,
  );
});

test("news are two honest placeholders, and the games have their doors", async () => {
  openAppAsMember("/");

  const news = await screen.findByRole("region", { name: "Top News" });

  expect(within(news).getAllByRole("button", { name: "Read More" })).toHaveLength(2);
  expect(screen.getByRole("link", { name: /^Start/ })).toHaveAttribute("href", "/trivia-questions");
  const battle = screen.getByRole("region", { name: "Battle Zone" });
  expect(within(battle).getByRole("link")).toHaveAttribute("href", "/battle-zone");
});
