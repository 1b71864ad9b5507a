import { screen, waitFor, within } from "@testing-library/react";
import { HttpResponse } from "msw";
import { beforeEach, expect, test } from "vitest";
import type { Match, Streak, Tile, Today } from "@/api/wire";
import { session } from "@/lib/session/session";
import { inSeconds, theRanks, theStatistics, theToday } from "@/test/factories";
import { openAppAsMember } from "@/test/render";
import { envelope, refusal, serve } from "@/test/server";

let today: Today = theToday();

beforeEach(() => {
  today = theToday();
  serve("get", "/api/v1/today", () => envelope(200, today));
  serve("get", "/api/v1/dashboard/statistics/:id", () => envelope(200, theStatistics()));
  serve("get", "/api/v1/payment/wallet-balance/:id", () => envelope(200, { balance: 25_000.5 }));
});

function linesOf(table: HTMLElement) {
  return within(table)
    .getAllByRole("row")
    .map((row) => row.textContent);
}

/** The tiles beside the action, each with its title, its line and its button. */
async function tileLines() {
  const tiles = await screen.findByRole("list", { name: "More to play" });
  return within(tiles)
    .getAllByRole("listitem")
    .map((tile) => tile.textContent);
}

const action = () => screen.findByRole("region", { name: "Today" });

test("the member is greeted by first name", async () => {
  openAppAsMember("/");

  expect(await screen.findByText(/Welcome,/)).toHaveTextContent("Welcome, Ada Grace");
});

test("the profile card shows name, club, badge in words and points", async () => {
  openAppAsMember("/");

  const card = await screen.findByRole("region", { name: "Your profile" });
  await within(card).findByText(/battle points to/);

  expect(within(card).getByRole("heading", { name: "Obi Ada" })).toBeInTheDocument();
  expect(within(card).getByText("Enyimba")).toBeInTheDocument();
  expect(within(card).getByText("Super Fan")).toBeInTheDocument();
  expect(
    await within(card).findByRole("link", { name: /^1,452 season points ?, points history$/ }),
  ).toHaveAttribute("href", "/points");
  expect(within(card).getByText("82 of 120 battle points to King of Fans")).toBeInTheDocument();
  const progress = within(card).getByRole("progressbar");
  expect(progress).toHaveAttribute("value", "82");
  expect(progress).toHaveAttribute("max", "120");
});

test("the club ranking shows the place and the count of answered questions", async () => {
  openAppAsMember("/");

  const card = await screen.findByRole("region", { name: "Club ranking" });

  expect(await within(card).findByText("#2")).toBeInTheDocument();
  expect(within(card).getByText("118")).toBeInTheDocument();
});

test.each([
  [0, "Answer a question to enter the ranking"],
  [1, "Your first point brings you in"],
])("a member without points, %i questions answered, is told: %s", async (cnt, sentence) => {
  const ranking = { ...theStatistics().ranking, clubRank: null, points: 0, cnt };
  serve("get", "/api/v1/dashboard/statistics/:id", () =>
    envelope(
      200,
      theStatistics({ ranking, leaderboard: [], me: { rank: null, points: 0, offBoards: false } }),
    ),
  );
  openAppAsMember("/");

  expect(await screen.findByText(sentence)).toBeInTheDocument();
  expect(screen.queryByRole("button", { name: "View all" })).toBeNull();
});

test("the wallet shows naira with separators, and the balance can be hidden", async () => {
  const { user } = openAppAsMember("/");
  expect(await screen.findByText("₦25,000.50")).toBeInTheDocument();

  await user.click(screen.getByRole("button", { name: "Hide balance" }));

  expect(screen.queryByText("₦25,000.50")).toBeNull();
});

test("the leader board has rank, name and points of all rows given, and View all", async () => {
  openAppAsMember("/");

  const table = await screen.findByRole("table");

  expect(linesOf(table)).toEqual(["RankNamePoints", "1MMusa Bello2,000", "2OObi AdaYou1,452"]);
  expect(screen.getByRole("link", { name: "View all" })).toHaveAttribute("href", "/leaderboard");
});

test("outside the top ten the own row stands below it", async () => {
  const leaderboard = [
    { rank: 1, firstname: "Bello", lastname: "Musa", points: 2000, me: false, avatar: null },
  ];
  serve("get", "/api/v1/dashboard/statistics/:id", () =>
    envelope(200, theStatistics({ leaderboard, me: { rank: 42, points: 15, offBoards: false } })),
  );
  openAppAsMember("/");

  const table = await screen.findByRole("table");

  expect(linesOf(table)).toEqual(["RankNamePoints", "1MMusa Bello2,000", "42OObi AdaYou15"]);
});

test("a King of Fans has nobody above", async () => {
  const { me } = theToday();
  today = theToday({ me: { ...me, badge: "king-of-fans", nextRank: null, rankAt: null } });
  const { ranking, ...others } = theStatistics();
  const statistics = { ...others, ranking: { ...ranking, badge: "king-of-fans" } };
  serve("get", "/api/v1/dashboard/statistics/:id", () => envelope(200, statistics));
  openAppAsMember("/");

  expect(await screen.findByText("No one is ahead of you")).toBeInTheDocument();
  expect(session.read()?.badge).toBe("king-of-fans");
});

test("statistics that fail are told with status and message", async () => {
  serve("get", "/api/v1/dashboard/statistics/:id", () => refusal(503, "unavailable", "Too busy."));
  openAppAsMember("/");

  const card = await screen.findByRole("region", { name: "Club ranking" });

  expect(await within(card).findByRole("alert")).toHaveTextContent(
    /HTTP error! Status: 503, Message: (Service Unavailable|Too busy\.)/,
  );
});

test("statistics that no server of ours answered are told in a plain sentence", async () => {
  serve(
    "get",
    "/api/v1/dashboard/statistics/:id",
    () => new HttpResponse("<html>Bad Gateway</html>", { status: 502 }),
  );
  openAppAsMember("/");

  const card = await screen.findByRole("region", { name: "Club ranking" });

  expect(await within(card).findByRole("alert")).toHaveTextContent(
    "The server is not available at the moment. Please try again.",
  );
});

test.each<[string, Partial<Streak>, string, string]>([
  ["runs", {}, "3-day streak", "Here's how you and Enyimba are doing."],
  ["never began", { days: 0 }, "Start a streak", "Here's how you and Enyimba are doing."],
  ["was bridged", { frozenOn: ["2026-11-24"] }, "3-day streak", "Freeze used on Tuesday"],
  [
    "was bridged a week ago",
    { frozenOn: ["2026-11-18"] },
    "3-day streak",
    "Here's how you and Enyimba are doing.",
  ],
  ["has ended", { days: 0, ended: 12 }, "Start a streak", "Your streak ended at 12 days"],
])(
  "a streak that %s; without one the chip leads to today's action",
  async (_, change, chip, line) => {
    today.me.streak = { ...today.me.streak, ...change };
    openAppAsMember("/");

    expect(await screen.findByRole("link", { name: chip })).toHaveAttribute(
      "href",
      change.days === 0 ? "/trivia-questions" : "/badges",
    );
    expect(screen.getByText(line)).toBeInTheDocument();
  },
);

test("what is first is one action with its countdown, and the other doors follow", async () => {
  openAppAsMember("/");

  const first = await action();
  expect(within(first).getByRole("heading", { name: "Trivia" })).toBeInTheDocument();
  expect(within(first).getByText("5 questions, 5 points each")).toBeInTheDocument();
  expect(within(first).getByRole("timer", { name: "Ends in" })).toHaveTextContent(/^(09:59|10:00)/);
  expect(within(first).getByRole("link", { name: "Start" })).toHaveAttribute(
    "href",
    "/trivia-questions",
  );
  expect(await tileLines()).toEqual([
    "Battle ZoneNeeds the Battle PassSee plans",
    "Predictions2 matches to predictPredict",
  ]);
  const others = within(screen.getByRole("list", { name: "More to play" }));
  expect(others.getByRole("link", { name: "Battle Zone" })).toHaveAttribute("href", "/battle-zone");
  expect(screen.getByRole("link", { name: "See plans" })).toHaveAttribute("href", "/subscriptions");
  expect(screen.getByRole("link", { name: "Predict" })).toHaveAttribute("href", "/predictions");
});

const battle = (change: object) => ({ kind: "battle", state: "open", ...change }) as Tile;
const tiles: [string, Tile, string | null][] = [
  [
    "a quest that is done",
    { kind: "quest", state: "done", points: 20, correct: 4, total: 5, nextAt: inSeconds(60) },
    "TriviaDone: 4 of 5 rightSee the answers",
  ],
  ["no quest", { kind: "quest", state: "none" }, "TriviaNo quest at the moment"],
  ["an open battle", battle({ left: 5, of: 5 }), "Battle Zone5 questions leftPlay"],
  ["one question left", battle({ left: 1, of: 5 }), "Battle Zone1 question leftPlay"],
  ["a battle that is done", battle({ state: "done" }), "Battle ZoneToday's questions are played"],
  [
    "a season to come",
    battle({ state: "upcoming", opensAt: inSeconds(3 * 86_400 + 3600) }),
    "Battle ZoneOpens in 3 days",
  ],
  ["a season that is over", battle({ state: "over" }), "Battle ZoneThe season is over"],
  ["a closed rank", battle({ state: "rank_closed" }), "Battle ZoneNot open for your rank"],
  ["no questions", battle({ state: "empty" }), "Battle ZoneNo questions at the moment"],
  ["all predicted", { kind: "predict", state: "done" }, "PredictionsAll matches are predicted"],
  [
    "one match",
    { kind: "predict", state: "open", left: 1, closesAt: inSeconds(60) },
    "Predictions1 match to predictPredict",
  ],
  ["nothing to predict", { kind: "predict", state: "none" }, null],
];

test.each(tiles)("a door with %s", async (_, tile, line) => {
  const other: Tile = { kind: "club_battle", state: "open", path: "/club-battle" };
  const done = { kind: "done", path: "/leaderboard", until: inSeconds(36_000) } as const;
  today = theToday({ doors: [tile, other], action: done });
  openAppAsMember("/");

  const first = await action();
  expect(within(first).getByRole("heading", { name: "All done for today" })).toBeInTheDocument();
  expect(within(first).getByRole("timer")).toBeInTheDocument();
  expect(within(first).getByRole("link", { name: "Leader board" })).toHaveAttribute(
    "href",
    "/leaderboard",
  );
  const joining = "Club battleYour club plays nowJoin";
  expect(await tileLines()).toEqual(line === null ? [joining] : [line, joining]);
});

test("a running battle is the way back, wherever the server says it is", async () => {
  today = theToday({
    doors: [battle({ state: "running" })],
    action: { kind: "battle", path: "/battle-zone", until: null },
  });
  openAppAsMember("/");

  expect(within(await action()).getByRole("link", { name: "Back to the battle" })).toHaveAttribute(
    "href",
    "/battle-zone",
  );
  expect(within(await action()).queryByRole("timer")).toBeNull();
  expect(screen.queryByRole("list", { name: "More to play" })).toBeNull();
});

test("a day that does not come is told, and the member's points are not known", async () => {
  serve("get", "/api/v1/today", () => refusal(503, "unavailable", "Too busy."));
  openAppAsMember("/");

  expect(await screen.findByText("Too busy.")).toBeInTheDocument();
  const card = within(screen.getByRole("region", { name: "Your profile" }));
  expect(card.getByText("not known yet")).toBeInTheDocument();
});

test("the next match is shown with its day, and none is said in words", async () => {
  const first = openAppAsMember("/");
  const card = () => screen.findByRole("region", { name: "Next match" });
  expect(await within(await card()).findByText("Your club has no fixtures yet")).toBeVisible();
  first.unmount();

  today = theToday({ nextMatch: aMatch({ prediction: PREDICTED }) });
  openAppAsMember("/");

  const match = await within(await card()).findByRole("link", { name: /^Kano against Enyimba/ });
  expect(match).toHaveAttribute("href", "/match/match-1");
  expect(within(match).getByText("Your prediction: 2–1")).toBeInTheDocument();
});

test("a match that runs stands in its place with the score", async () => {
  const live = aMatch({
    state: "live",
    goals: { home: 1, away: 2 },
    phaseStartedAt: inSeconds(-600),
    half: 1,
  });
  today = theToday({ live: [live], nextMatch: aMatch({ id: "match-2" }) });
  openAppAsMember("/");

  const card = await screen.findByRole("region", { name: "Live now" });
  expect(within(card).getByText("1–2")).toBeInTheDocument();
  expect(within(card).getByText("11'")).toBeInTheDocument();
});

test("a promotion is celebrated once, on all devices", async () => {
  const promotion = { id: "promotion-1", kind: "promotion", key: "super-fan" } as const;
  today = theToday({ celebrate: [promotion] });
  serve("get", "/api/v1/battlezone-rank-config", () => envelope(200, theRanks));
  const seen = serve("post", "/api/v1/celebrations/:id/seen", () => {
    today = theToday();
    return envelope(200, null);
  });
  const { user } = openAppAsMember("/");

  const dialog = await screen.findByRole("dialog", { name: "You are now Super Fan" });
  expect(within(dialog).getByText("You are here").parentElement).toHaveTextContent("Super Fan");
  await user.click(within(dialog).getByRole("button", { name: "Continue" }));

  expect(screen.queryByRole("dialog")).toBeNull();
  await waitFor(() => expect(seen).toHaveLength(1));
  expect(seen[0]?.url.pathname).toBe("/api/v1/celebrations/promotion-1/seen");
  expect(screen.queryByRole("dialog")).toBeNull();
});

test("a celebration waits until another dialog is closed", async () => {
  const promotion = { id: "promotion-1", kind: "promotion", key: "super-fan" } as const;
  let respond = () => {};
  const answered = new Promise<void>((resolve) => {
    respond = resolve;
  });
  serve("get", "/api/v1/today", async () => {
    await answered;
    return envelope(200, theToday({ celebrate: [promotion] }));
  });
  serve("get", "/api/v1/battlezone-rank-config", () => envelope(200, theRanks));
  serve("get", "/api/v1/payment/funding-limits", () => refusal(503, "unavailable", "Too busy."));
  const { user } = openAppAsMember("/");
  await user.click(await screen.findByRole("button", { name: "Fund Wallet" }));
  const funding = await screen.findByRole("dialog", { name: "Fund Wallet" });

  respond();
  await action();
  expect(screen.getAllByRole("dialog")).toEqual([funding]);
  await user.click(within(funding).getByRole("button", { name: "Close" }));

  expect(await screen.findByRole("dialog", { name: "You are now Super Fan" })).toBeInTheDocument();
});

test("the tour is shown until it is read, and stays where it could not be noted", async () => {
  today = theToday({ tourSeen: false });
  serve("put", "/api/v1/users/:id/tour", () => refusal(503, "unavailable", "Too busy."));
  const { user } = openAppAsMember("/");
  const tour = await screen.findByRole("region", { name: "How it works" });
  expect(within(tour).getAllByRole("listitem")).toHaveLength(3);

  await user.click(within(tour).getByRole("button", { name: "Got it" }));
  expect(await screen.findByText("Too busy.")).toBeInTheDocument();
  const seen = serve("put", "/api/v1/users/:id/tour", () => {
    today = theToday();
    return envelope(200, null);
  });
  await user.click(await screen.findByRole("button", { name: "Got it" }));

  await waitFor(() => expect(seen).toHaveLength(1));
  expect(screen.queryByRole("region", { name: "How it works" })).toBeNull();
});

test("news are two honest placeholders", async () => {
  openAppAsMember("/");

  const news = await screen.findByRole("region", { name: "Top News" });

  await waitFor(() =>
    expect(within(news).getAllByRole("button", { name: "Read More" })).toHaveLength(2),
  );
});

const PREDICTED = {
  home: 2,
  away: 1,
  points: null,
  outcome: "pending",
  savedAt: "2026-11-27T10:00:00.000Z",
};

function aMatch(change: Partial<Match> = {}): Match {
  return {
    id: "match-1",
    competition: { id: "npfl", name: "NPFL", season: "2026", demo: true, table: true },
    round: "Round 4",
    home: { teamId: "kano", clubId: null, name: "Kano", emblem: "/kano.svg" },
    away: { teamId: "enyimba", clubId: "club-1", name: "Enyimba", emblem: "/enyimba.svg" },
    kickOffAt: inSeconds(86_400),
    venue: null,
    state: "scheduled",
    phaseStartedAt: null,
    half: null,
    goals: null,
    scored: [],
    version: 1,
    updatedAt: inSeconds(0),
    closesAt: inSeconds(86_400),
    prediction: null,
    crowd: null,
    ...change,
  };
}
