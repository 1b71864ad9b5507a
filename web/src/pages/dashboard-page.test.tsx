import { screen, waitFor, within } from "@testing-library/react";
import { HttpResponse } from "msw";
import { beforeEach, expect, test } from "vitest";
import type { BattleConfig, BattleToday, PlanStanding, TriviaAttempt } from "@/api/wire";
import { session } from "@/lib/session";
import {
  aPlanStanding,
  aTriviaAttempt,
  inSeconds,
  noPlan,
  theDay,
  theSeason,
  theStatistics,
} from "@/test/factories";
import { openAppAsMember } from "@/test/render";
import { envelope, refusal, serve } from "@/test/server";

let plan: PlanStanding = noPlan;
let season: BattleConfig | null = null;
let attempt: TriviaAttempt = aTriviaAttempt();

beforeEach(() => {
  plan = noPlan;
  season = theSeason();
  attempt = aTriviaAttempt();
  serve("get", "/api/v1/users/plan/validate/:id", () => envelope(200, plan));
  serve("get", "/api/v1/battle-ground-config", () => envelope(200, season));
  serve("get", "/api/v1/question/attempted-daily-trivial-question/:club/:id", () =>
    envelope(200, attempt),
  );
  serve("get", "/api/v1/dashboard/statistics/:id", () => envelope(200, theStatistics()));
  serve("get", "/api/v1/payment/wallet-balance/:id", () => envelope(200, { balance: 25_000.5 }));
});

function linesOf(table: HTMLElement) {
  return within(table)
    .getAllByRole("row")
    .map((row) => row.textContent);
}

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

test.each([
  [0, "Answer a question to enter the ranking"],
  [1, "Your first point brings you in"],
])("a member without points, %i questions answered, is told: %s", async (cnt, sentence) => {
  const ranking = { ...theStatistics().ranking, clubRank: null, points: 0, cnt };
  serve("get", "/api/v1/dashboard/statistics/:id", () =>
    envelope(200, theStatistics({ ranking, leaderboard: [], me: { rank: null, points: 0 } })),
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
    envelope(200, theStatistics({ leaderboard, me: { rank: 42, points: 15 } })),
  );
  openAppAsMember("/");

  const table = await screen.findByRole("table");

  expect(linesOf(table)).toEqual(["RankNamePoints", "1MMusa Bello2,000", "42OObi AdaYou15"]);
});

test("the profile card shows the way to the next rank, the plan and the points' history", async () => {
  plan = aPlanStanding();
  openAppAsMember("/");

  const card = await screen.findByRole("region", { name: "Your profile" });

  expect(
    await within(card).findByText("82 of 120 battle points to King of Fans"),
  ).toBeInTheDocument();
  const progress = within(card).getByRole("progressbar");
  expect(progress).toHaveAttribute("value", "82");
  expect(progress).toHaveAttribute("max", "120");
  expect(await within(card).findByText("Battle Pass")).toBeInTheDocument();
  expect(within(card).getByRole("link", { name: "Points history" })).toHaveAttribute(
    "href",
    "/points",
  );
});

test("a King of Fans has nobody above", async () => {
  const ranking = { ...theStatistics().ranking, nextRank: null, pointsToNext: null };
  serve("get", "/api/v1/dashboard/statistics/:id", () => envelope(200, theStatistics({ ranking })));
  openAppAsMember("/");

  expect(await screen.findByText("Nobody stands higher")).toBeInTheDocument();
  expect(session.read()?.badge).toBe("king-of-fans");
});

test("the trivia card shows the streak, and once played what it brought", async () => {
  attempt = aTriviaAttempt({ streak: 3 });
  const first = openAppAsMember("/");
  const card = () => screen.findByRole("region", { name: "Trivia" });
  expect(await within(await card()).findByText("3-day streak")).toBeInTheDocument();
  first.unmount();

  attempt = aTriviaAttempt({ streak: 4, points: 20, point: 20 });
  openAppAsMember("/");

  expect(await within(await card()).findByText("+20 points today")).toBeInTheDocument();
  expect(within(await card()).getByText(/^Done for today/)).toBeInTheDocument();
  expect(within(await card()).getByRole("link", { name: "See the answers" })).toHaveAttribute(
    "href",
    "/trivia-questions",
  );
});

const battleDoors: [string, Partial<BattleToday>, string | null, string][] = [
  ["all are left", { left: 5 }, "5 questions left", "Battle Zone"],
  ["one is left", { left: 1 }, "1 question left", "Battle Zone"],
  ["one runs", { state: "running", left: 3 }, null, "Back to the battle"],
  ["none is left", { state: "done", left: 0 }, "Today's questions are played", "Battle Zone"],
];

test.each(battleDoors)(
  "the battle card, when of today's questions %s",
  async (_, today, sign, link) => {
    plan = aPlanStanding();
    season = theSeason({ today: theDay(today) });
    openAppAsMember("/");

    const card = await screen.findByRole("region", { name: "Battle Zone" });

    const door = await within(card).findByRole("link", { name: link });
    expect(door).toHaveAttribute("href", "/battle-zone");
    await waitFor(() =>
      expect(
        within(card)
          .queryAllByRole("listitem")
          .map((item) => item.textContent),
      ).toEqual(sign === null ? [] : [sign]),
    );
  },
);

test("the battle card says what is missing, and when a season opens or that it is over", async () => {
  const card = () => screen.findByRole("region", { name: "Battle Zone" });
  const first = openAppAsMember("/");
  expect(await within(await card()).findByText("Needs the Battle Pass")).toBeInTheDocument();
  expect(within(await card()).getAllByRole("listitem")).toHaveLength(1);
  expect(within(await card()).getByRole("link", { name: "See plans" })).toBeInTheDocument();
  first.unmount();

  plan = aPlanStanding();
  season = theSeason({ state: "upcoming", today: null, start_date: inSeconds(3 * 86_400 + 60) });
  const second = openAppAsMember("/");
  expect(await within(await card()).findByText("Opens in 3 days")).toBeInTheDocument();
  expect(within(await card()).queryByText("Needs the Battle Pass")).toBeNull();
  second.unmount();

  season = theSeason({ state: "over", today: null, end_date: inSeconds(-60) });
  openAppAsMember("/");
  expect(await within(await card()).findByText("The season is over")).toBeInTheDocument();
});

test("statistics that fail are told with status and message", async () => {
  serve("get", "/api/v1/dashboard/statistics/:id", () => refusal(503, "unavailable", "Too busy."));
  openAppAsMember("/");

  const card = await screen.findByRole("region", { name: "Club ranking" });

  expect(await within(card).findByRole("alert")).toHaveTextContent(
    /HTTP error! Status: 503, Message: (Service Unavailable|Too busy\.)/,
  );
  const member = within(screen.getByRole("region", { name: "Your profile" }));
  expect(member.getAllByRole("definition").map(({ textContent }) => textContent)).toEqual([
    "–not known yet",
    "–not known yet",
  ]);
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

test("news are two honest placeholders, and the games have their doors", async () => {
  openAppAsMember("/");

  const news = await screen.findByRole("region", { name: "Top News" });

  expect(await within(news).findAllByRole("button", { name: "Read More" })).toHaveLength(2);
  expect(screen.getByRole("link", { name: /^Start/ })).toHaveAttribute("href", "/trivia-questions");
  const battle = screen.getByRole("region", { name: "Battle Zone" });
  expect(within(battle).getByRole("link")).toHaveAttribute("href", "/battle-zone");
});
