import { act, screen, waitFor, within } from "@testing-library/react";
import { beforeEach, expect, test, vi } from "vitest";
import { connect, line, question, receive, serveTheZone, type Zone } from "@/test/battle";
import { inSeconds, noPlan, theDay, theSeason } from "@/test/factories";
import { openAppAsMember } from "@/test/render";
import { envelope, refusal, serve } from "@/test/server";

let zone: Zone;

beforeEach(() => {
  zone = serveTheZone();
});

test("a plan without the battle zone sees the upgrade prompt and the way to the plan", async () => {
  zone.plan = noPlan;
  openAppAsMember("/battle-zone");

  expect(await screen.findByRole("heading", { name: "Battle Zone Upgrade" })).toBeInTheDocument();
  expect(
    screen.getByText("Upgrade to a plan that include battle zone by subscribing."),
  ).toBeInTheDocument();
  expect(await screen.findByRole("link", { name: "Battle Pass for ₦1,500" })).toHaveAttribute(
    "href",
    "/subscriptions?plan=battle-pass",
  );
});

test("a plan check that fails is told with the server's message and can be asked again", async () => {
  let down = true;
  serve("get", "/api/v1/users/plan/validate/:id", () =>
    down ? refusal(503, "unavailable", "Too busy.") : envelope(200, zone.plan),
  );
  const { user } = openAppAsMember("/battle-zone");
  await waitFor(() => expect(screen.getAllByText("Too busy.")).toHaveLength(2));

  down = false;
  await user.click(screen.getByRole("button", { name: "Try again" }));

  expect(await screen.findByRole("heading", { name: "KING of fans!" })).toBeInTheDocument();
});

test("the landing has the ladder, the member's place in it, instructions and dates", async () => {
  openAppAsMember("/battle-zone");

  expect(await screen.findByRole("heading", { name: "KING of fans!" })).toBeInTheDocument();
  expect(screen.getByRole("button", { name: "Enter Battle Ground" })).toBeInTheDocument();
  const ladder = screen.getByRole("region", { name: "Rank ladder" });
  const rungs = within(ladder).getAllByRole("listitem");
  expect(rungs.map((rung) => rung.querySelector("strong")?.textContent)).toEqual([
    "King of Fans",
    "Super Fan",
    "Rookie",
  ]);
  expect(rungs[1]).toHaveTextContent("120 battle points to King of Fans");
  expect(rungs[1]).toHaveTextContent("10 November 2026, 9:00 am to 20 November 2026, 8:00 pm");
  expect(rungs[2]).toHaveTextContent("50 battle points to Super Fan");
  await waitFor(() => expect(rungs[1]).toHaveAttribute("aria-current", "step"));
  const instructions = screen.getByRole("region", { name: "Instructions" });
  expect(instructions).toHaveTextContent("You get 5 questions a day and 15 seconds for each.");
  expect(instructions).toHaveTextContent("1 November 2026, 12:30 pm");
});

test("before the season the server's clock counts down and nobody enters", async () => {
  vi.useFakeTimers({ toFake: ["Date"], now: new Date("2020-01-01T00:00:00Z") });
  const left = ((8 * 24 + 3) * 60 + 4) * 60 + 5;
  zone.season = theSeason({
    state: "upcoming",
    serverNow: "2026-11-01T00:00:00.000Z",
    start_date: new Date(Date.parse("2026-11-01T00:00:00Z") + left * 1000).toISOString(),
  });
  openAppAsMember("/battle-zone");

  const clock = await screen.findByRole("timer", { name: "Battle starts in" });
  const numbers = () =>
    within(clock)
      .getAllByRole("listitem")
      .map((part) => part.textContent);

  expect(numbers()).toEqual(["01weeks", "01day", "03hrs", "04min", "05sec"]);
  vi.setSystemTime("2020-01-01T00:00:03Z");
  await waitFor(() => expect(numbers().at(-1)).toBe("02sec"));
  expect(screen.queryByRole("button", { name: "Enter Battle Ground" })).toBeNull();
});

test("a season that is over, and no season at all, say so and let nobody in", async () => {
  zone.season = theSeason({ start_date: "2020-01-01T00:00:00Z", end_date: "2020-02-01T00:00:00Z" });
  const first = openAppAsMember("/battle-zone");
  expect(await screen.findByText("The season is over.")).toBeInTheDocument();
  expect(screen.queryByRole("button", { name: "Enter Battle Ground" })).toBeNull();
  first.unmount();

  zone.season = null;
  openAppAsMember("/battle-zone");
  expect(await screen.findByText("No battle is planned")).toBeInTheDocument();
});

test("the landing says how many questions are left, and leads back to one that runs", async () => {
  zone.season = theSeason({ today: theDay({ left: 1 }) });
  const first = openAppAsMember("/battle-zone");
  expect(await screen.findByText("1 question left")).toBeInTheDocument();
  expect(screen.getByRole("button", { name: "Enter Battle Ground" })).toBeInTheDocument();
  first.unmount();

  zone.season = theSeason({ today: theDay({ state: "running", left: 0 }) });
  const { user } = openAppAsMember("/battle-zone");
  await user.click(await screen.findByRole("button", { name: "Back to the battle" }));
  const socket = await line();
  await connect(socket);
  await receive(socket, "new_question", question("q1", { resumed: true }));
  expect(await screen.findByText("Who won q1?")).toBeInTheDocument();
});

test("a day that is played has no way in but a countdown, which opens the door", async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true });
  zone.season = theSeason({ today: theDay({ state: "done", left: 0, nextAt: inSeconds(60) }) });
  openAppAsMember("/battle-zone");

  expect(await screen.findByRole("heading", { name: "KING of fans!" })).toBeInTheDocument();
  expect(screen.getByRole("heading", { name: "You have played today's questions" })).toBeVisible();
  expect(screen.getByRole("timer", { name: "The next questions open in" })).toHaveTextContent(
    /^00:0(0:5\d|1:00)$/,
  );
  expect(screen.queryByRole("button", { name: /Enter|Back/ })).toBeNull();

  zone.season = theSeason({ serverNow: inSeconds(61) });
  await act(async () => vi.advanceTimersByTimeAsync(63_000));

  expect(await screen.findByRole("button", { name: "Enter Battle Ground" })).toBeInTheDocument();
  expect(screen.getByText("5 questions left")).toBeInTheDocument();
});

test("on the season's last day nothing is counted down to", async () => {
  zone.season = theSeason({ today: theDay({ state: "done", left: 0, nextAt: null }) });
  openAppAsMember("/battle-zone");

  expect(await screen.findByText("You have played today's questions")).toBeInTheDocument();
  expect(screen.queryByRole("timer")).toBeNull();
});

test("a question that nobody goes back to ends, and the door says so", async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true });
  zone.season = theSeason({ today: theDay({ state: "running", left: 0 }), question_time_limit: 5 });
  openAppAsMember("/battle-zone");
  expect(await screen.findByRole("button", { name: "Back to the battle" })).toBeInTheDocument();

  zone.season = theSeason({ today: theDay({ state: "done", left: 0 }), serverNow: inSeconds(6) });
  await act(async () => vi.advanceTimersByTimeAsync(8000));

  expect(await screen.findByText("You have played today's questions")).toBeInTheDocument();
});

const refused: [string, Record<string, unknown>, RegExp[]][] = [
  [
    "season_not_begun",
    { opensAt: "2026-12-01T12:30:00Z" },
    [/has not begun/, /1 December 2026, 1:30 pm/],
  ],
  ["season_over", {}, [/The season is over/]],
  [
    "rank_closed",
    { rank: "super-fan", opensAt: "2026-12-01T12:30:00Z", closedAt: null },
    [/Super Fan is not open now/, /play from 1 December 2026, 1:30 pm/],
  ],
  ["plan_required", {}, [/Battle Zone Upgrade/]],
  ["session_taken_over", {}, [/You opened Battle Zone on another device/]],
  ["unavailable", {}, [/Please wait a moment/]],
];

test.each(refused)("entering refused with %s has its own face", async (code, data, sentences) => {
  const { user } = openAppAsMember("/battle-zone");
  await user.click(await screen.findByRole("button", { name: "Enter Battle Ground" }));
  const socket = await line();
  await connect(socket);

  await act(async () =>
    socket
      .of("enter_battle_zone")[0]
      ?.acknowledge(data, { status: 409, code, message: "Please wait a moment" }),
  );

  for (const sentence of sentences) {
    expect(await screen.findByText(sentence)).toBeInTheDocument();
  }
});
