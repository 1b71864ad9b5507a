import { screen, waitFor, within } from "@testing-library/react";
import { beforeEach, expect, test } from "vitest";
import type { BoardPage, BoardRow, PointsEntry } from "@/api/wire";
import { theStatistics, theToday } from "@/test/factories";
import { openAppAsMember } from "@/test/render";
import { envelope, refusal, type SeenRequest, serve } from "@/test/server";

function aRow(change: Partial<BoardRow> = {}): BoardRow {
  return {
    rank: 1,
    firstname: "Bello",
    lastname: "Musa",
    name: "Arsenal",
    emblem: "/media/crests/club.svg",
    points: 90,
    me: false,
    avatar: null,
    ...change,
  };
}

function aBoard(change: Partial<BoardPage> = {}): BoardPage {
  return {
    scope: "club",
    period: "season",
    startsAt: "2026-11-01T11:30:00Z",
    endsAt: "2026-11-30T22:59:00Z",
    page: 1,
    pageSize: 50,
    total: 2,
    rows: [aRow(), aRow({ firstname: "Ada Grace", lastname: "Obi", name: "Enyimba", me: true })],
    me: { rank: 1, points: 90, offBoards: false },
    ...change,
  };
}

let board = aBoard();
let asked: SeenRequest[] = [];

beforeEach(() => {
  board = aBoard();
  asked = serve("get", "/api/v1/leaderboard", () => envelope(200, board));
  serve("get", "/api/v1/dashboard/statistics/:id", () => envelope(200, theStatistics()));
  serve("get", "/api/v1/today", () => envelope(200, theToday()));
});

const lastAsked = () => Object.fromEntries(asked.at(-1)?.url.searchParams ?? []);
const lines = () => screen.getAllByRole("row").map(({ textContent }) => textContent);

test("the board of the club and season opens first; ties share a rank, my row is marked", async () => {
  openAppAsMember("/leaderboard");

  await screen.findByRole("table");

  expect(lastAsked()).toEqual({ scope: "club", period: "season", page: "1" });
  expect(lines()).toEqual(["RankNamePoints", "1MMusa Bello90", "1OObi AdaYou90"]);
  expect(screen.getByText("2 members · 1 Nov 2026 – 30 Nov 2026")).toBeInTheDocument();
});

test("all clubs and another time are asked for, and rows then name their club", async () => {
  const { user } = openAppAsMember("/leaderboard");
  await screen.findByRole("table");

  board = aBoard({ scope: "all", period: "week" });
  await user.click(screen.getByRole("radio", { name: "All clubs" }));
  await user.click(screen.getByRole("radio", { name: "Week" }));

  await waitFor(() => expect(lastAsked()).toEqual({ scope: "all", period: "week", page: "1" }));
  await waitFor(() => expect(lines()[1]).toBe("1MMusa BelloArsenal90"));
});

test("pages go forwards and back, and the address may name one", async () => {
  board = aBoard({ page: 2, total: 120 });
  const { user } = openAppAsMember("/leaderboard?scope=all&period=day&page=2");
  expect(await screen.findByText("Page 2 of 3")).toBeInTheDocument();
  expect(lastAsked()).toEqual({ scope: "all", period: "day", page: "2" });

  board = aBoard({ page: 3, total: 120 });
  await user.click(screen.getByRole("button", { name: "Next" }));

  expect(await screen.findByText("Page 3 of 3")).toBeInTheDocument();
  expect(screen.getByRole("button", { name: "Next" })).toBeDisabled();
  expect(lastAsked()).toMatchObject({ page: "3" });
});

test("on a page without me my own row stands below", async () => {
  board = aBoard({ rows: [aRow()], total: 60, me: { rank: 57, points: 5, offBoards: false } });
  openAppAsMember("/leaderboard");

  await screen.findByRole("table");

  expect(lines().at(-1)).toBe("57OObi AdaYou5");
});

test("a member who works at the back office is told why no board lists them", async () => {
  board = aBoard({ me: { rank: null, points: 0, offBoards: true } });
  openAppAsMember("/leaderboard");

  expect(await screen.findByText(/so you are not listed/)).toBeInTheDocument();
  expect(screen.getByRole("table")).toBeInTheDocument();
});

test("a board without points says so, and one that fails can be asked again", async () => {
  board = aBoard({ rows: [], total: 0, me: { rank: null, points: 0, offBoards: false } });
  const first = openAppAsMember("/leaderboard");
  expect(await screen.findByText("The table is open")).toBeInTheDocument();
  first.unmount();

  serve("get", "/api/v1/leaderboard", () => refusal(503, "unavailable", "Too busy."));
  const { user } = openAppAsMember("/leaderboard");
  expect(await screen.findByRole("alert")).toHaveTextContent("Too busy.");
  serve("get", "/api/v1/leaderboard", () => envelope(200, aBoard()));
  await user.click(screen.getByRole("button", { name: "Try again" }));

  expect(await screen.findByRole("table")).toBeInTheDocument();
});

function anEntry(id: string, change: Partial<PointsEntry> = {}): PointsEntry {
  return {
    id,
    source: "battle",
    points: 10,
    title: `Right answer: ${id}`,
    day: "2026-11-21",
    earnedAt: "2026-11-21T12:30:00Z",
    ...change,
  };
}

test("the history explains every award and fetches older ones", async () => {
  const newest = Array.from({ length: 20 }, (_, index) => anEntry(`e${index}`));
  const requests = serve("get", "/api/v1/points/:id", ({ url }) =>
    envelope(200, url.searchParams.has("before") ? [anEntry("last")] : newest),
  );
  const { user } = openAppAsMember("/points");
  const history = await screen.findByRole("region", { name: "Points history" });
  expect(await within(history).findByText("Right answer: e0")).toBeInTheDocument();
  expect(within(history).getAllByRole("listitem")[0]).toHaveTextContent(
    "21 November 2026, 1:30 pm",
  );
  expect(within(history).getAllByText("+10 points")).toHaveLength(20);

  await user.click(screen.getByRole("button", { name: "Show older" }));

  expect(await screen.findByText("Right answer: last")).toBeInTheDocument();
  expect(requests.at(-1)?.url.searchParams.get("before")).toBe("e19");
  expect(screen.queryByRole("button", { name: "Show older" })).toBeNull();
});

test("the history splits the season's points by game, and may be empty", async () => {
  serve("get", "/api/v1/points/:id", () => envelope(200, []));
  const { user } = openAppAsMember("/points");

  const split = await screen.findByRole("region", { name: "Harmattan Cup" });

  expect(
    within(split)
      .getAllByRole("definition")
      .map(({ textContent }) => textContent),
  ).toEqual(["82 battle points", "1,370 points", "0 points", "0 points"]);
  expect(split).toHaveTextContent("1,452 season points");
  const rules = within(split).getByText("How points work");
  expect(rules.closest("details")).not.toHaveAttribute("open");
  await user.click(rules);
  expect(rules.closest("details")).toHaveAttribute("open");
  for (const sentence of [
    "All your points count towards the season, and the season total decides the leader boards.",
    "Right answers in the Battle Zone are also battle points. Only battle points lift your rank.",
    "Points can't be exchanged for money.",
  ]) {
    expect(within(split).getByText(sentence)).toBeInTheDocument();
  }
  expect(await screen.findByText("No points yet")).toBeInTheDocument();
});
