import { act, fireEvent, screen, waitFor, within } from "@testing-library/react";
import { beforeEach, expect, test, vi } from "vitest";
import { session } from "@/lib/session";
import {
  aPlan,
  aPlanStanding,
  inSeconds,
  noPlan,
  theRanks,
  theSeason,
  theStatistics,
} from "@/test/factories";
import { type FakeSocket, sockets } from "@/test/fake-socket";
import { openAppAsMember } from "@/test/render";
import { envelope, refusal, serve } from "@/test/server";

vi.mock("socket.io-client", async () => (await import("@/test/fake-socket")).fakeLibrary);

let season: ReturnType<typeof theSeason> | null = theSeason();
let plan = aPlanStanding();

beforeEach(() => {
  sockets.length = 0;
  season = theSeason();
  plan = aPlanStanding();
  serve("get", "/api/v1/users/plan/validate/:id", () => envelope(200, plan));
  serve("get", "/api/v1/battle-ground-config", () => envelope(200, season));
  serve("get", "/api/v1/battlezone-rank-config", () => envelope(200, theRanks));
  serve("get", "/api/v1/dashboard/statistics/:id", () => envelope(200, theStatistics()));
  serve("get", "/api/v1/subscription", () =>
    envelope(200, [aPlan({ id: "terrace", battleZone: false }), aPlan()]),
  );
});

function question(id = "q1", change: Record<string, unknown> = {}) {
  return {
    question: {
      id,
      question: `Who won ${id}?`,
      options: JSON.stringify({ A: "Ajax", B: "Bayern", C: "Chelsea", D: "Dortmund" }),
    },
    timeLimit: 15,
    remainingTime: 15,
    deadlineAt: inSeconds(15),
    serverNow: inSeconds(0),
    number: 2,
    total: 5,
    rank: "rookie",
    resumed: false,
    ...change,
  };
}

function result(questionId = "q1", change: Record<string, unknown> = {}) {
  return {
    questionId,
    isCorrect: true,
    pointAwarded: 10,
    timedOut: false,
    answer: "A",
    rightAnswer: "A",
    explanation: "Ajax won in Vienna.",
    points: 40,
    battlePoints: 40,
    badge: "rookie",
    promotedTo: null,
    nextRank: "super-fan",
    pointsToNext: 10,
    number: 2,
    total: 5,
    ...change,
  };
}

/** The line that is open now. */
async function line(): Promise<FakeSocket> {
  await waitFor(() => expect(sockets.some(({ closed }) => !closed)).toBe(true));
  return sockets.findLast(({ closed }) => !closed) as FakeSocket;
}

async function connect(socket: FakeSocket) {
  await act(async () => socket.hear("connect"));
}

async function tell(socket: FakeSocket, event: string, content: unknown) {
  await act(async () => socket.hear(event, content));
}

/** Enter and be asked the first question. */
async function play() {
  const app = openAppAsMember("/battle-zone");
  await app.user.click(await screen.findByRole("button", { name: "Enter Battle Ground" }));
  const socket = await line();
  await connect(socket);
  await tell(socket, "new_question", question());
  await act(async () => socket.of("enter_battle_zone")[0]?.acknowledge({ state: "question" }));
  return { ...app, socket };
}

test("a plan without the battle zone sees the upgrade prompt and the way to the plan", async () => {
  plan = noPlan;
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
    down ? refusal(503, "unavailable", "Too busy.") : envelope(200, plan),
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
  expect(rungs[1]).toHaveTextContent("120 points to King of Fans");
  expect(rungs[1]).toHaveTextContent("10 November 2026, 9:00 am to 20 November 2026, 8:00 pm");
  expect(rungs[2]).toHaveTextContent("50 points to Super Fan");
  await waitFor(() => expect(rungs[0]).toHaveAttribute("aria-current", "step"));
  const instructions = screen.getByRole("region", { name: "Instructions" });
  expect(instructions).toHaveTextContent("You get 5 questions a day and 15 seconds for each.");
  expect(instructions).toHaveTextContent("1 November 2026, 12:30 pm");
});

test("before the season the server's clock counts down and nobody enters", async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true, now: new Date("2020-01-01T00:00:00Z") });
  const left = ((8 * 24 + 3) * 60 + 4) * 60 + 5;
  season = theSeason({
    state: "upcoming",
    serverNow: "2026-11-01T00:00:00.000Z",
    start_date: new Date(Date.parse("2026-11-01T00:00:00Z") + left * 1000).toISOString(),
  });
  openAppAsMember("/battle-zone");

  const clock = await screen.findByRole("timer", { name: "Battle starts in" });
  const parts = () =>
    within(clock)
      .getAllByRole("listitem")
      .map((part) => part.textContent);

  expect(parts()).toEqual(["01weeks", "01day", "03hrs", "04min", "05sec"]);
  await act(async () => vi.advanceTimersByTimeAsync(3000));
  expect(parts().at(-1)).toMatch(/0[12]sec/);
  expect(screen.queryByRole("button", { name: "Enter Battle Ground" })).toBeNull();
});

test("a season that is over, and no season at all, say so and let nobody in", async () => {
  season = theSeason({ start_date: "2020-01-01T00:00:00Z", end_date: "2020-02-01T00:00:00Z" });
  const first = openAppAsMember("/battle-zone");
  expect(await screen.findByText("The season is over.")).toBeInTheDocument();
  expect(screen.queryByRole("button", { name: "Enter Battle Ground" })).toBeNull();
  first.unmount();

  season = null;
  openAppAsMember("/battle-zone");
  expect(await screen.findByText("No battle is planned")).toBeInTheDocument();
});

test("entering opens a line of its own with token and identity, and starts the timer", async () => {
  const { socket } = await play();

  expect(socket.namespace).toBe("/battle-ground");
  expect(socket.options).toMatchObject({
    auth: { token: "token-of-ada" },
    query: { userId: "member-1", clubId: "club-1" },
    forceNew: true,
    reconnectionAttempts: 3,
    transports: ["websocket"],
  });
  expect(socket.of("enter_battle_zone")[0]?.content).toEqual({
    userId: "member-1",
    clubId: "club-1",
    firstName: "Ada Grace",
    lastName: "Obi",
    resume: false,
  });
  expect(socket.of("start_timer").map(({ content }) => content)).toEqual([{ questionId: "q1" }]);
});

test("a question shows its running number, rank and dates, options and a silent timer", async () => {
  await play();

  expect(screen.getByText("Question 2 of 5")).toBeInTheDocument();
  expect(screen.getByRole("heading", { name: "Who won q1?" })).toHaveFocus();
  expect(screen.getByText("Rookie")).toBeInTheDocument();
  expect(screen.getByText(/^1 November 2026, 12:30 pm to /)).toBeInTheDocument();
  const timer = screen.getByRole("timer");
  expect(timer).toHaveAccessibleName("15 seconds left");
  expect(timer).not.toHaveAttribute("aria-live");
});

test("urgency shows in words at 10 and 5 seconds, and is announced politely", async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true });
  await play();
  const timer = screen.getByRole("timer");
  expect(timer).toHaveTextContent("sec");

  await act(async () => vi.advanceTimersByTimeAsync(5200));
  expect(timer).toHaveTextContent("Hurry!");
  expect(screen.getByText("10 seconds left")).toHaveAttribute("role", "status");
  await act(async () => vi.advanceTimersByTimeAsync(5000));

  expect(timer).toHaveTextContent("Last call!");
  expect(screen.getByText("5 seconds left")).toBeInTheDocument();
});

test("a click answers once, highlights the choice and locks the rest", async () => {
  const { user, socket } = await play();

  await user.click(screen.getByRole("button", { name: /Bayern/ }));
  await user.keyboard("1");

  expect(socket.of("answer_question").map(({ content }) => content)).toEqual([
    expect.objectContaining({
      questionId: "q1",
      userId: "member-1",
      clubId: "club-1",
      answer: "B",
    }),
  ]);
  expect(screen.getByRole("button", { name: /Bayern/ })).toHaveAttribute("aria-pressed", "true");
  expect(screen.getByRole("button", { name: /Ajax/ })).toBeDisabled();
});

test("the keys 1 to 4 and A to D answer too", async () => {
  const { user, socket } = await play();
  await user.keyboard("3");
  expect(socket.of("answer_question")[0]?.content).toMatchObject({ answer: "C" });

  await tell(socket, "answer_result", result("q1"));
  await user.keyboard("{Enter}");
  await tell(socket, "new_question", question("q2"));
  await user.keyboard("d");

  expect(socket.of("answer_question")[1]?.content).toMatchObject({ questionId: "q2", answer: "D" });
});

test("a right answer is a Good Job! with its points, and Continue asks for the next", async () => {
  const { user, socket } = await play();
  await user.click(screen.getByRole("button", { name: /Ajax/ }));
  await tell(socket, "answer_result", result());

  const modal = screen.getByRole("dialog", { name: "Good Job!" });
  expect(modal).toHaveTextContent("+10points earned");
  expect(modal).toHaveTextContent("10 points to Super Fan");
  const proceed = within(modal).getByRole("button", { name: "Continue" });
  expect(proceed).toHaveFocus();
  await user.keyboard("{Enter}");

  expect(socket.of("next_question")).toHaveLength(1);
  expect(screen.queryByRole("dialog")).toBeNull();
});

test("a wrong answer is a Wrong Move! with the right one and why; closing it leaves both to read", async () => {
  const { user, socket } = await play();
  await user.click(screen.getByRole("button", { name: /Bayern/ }));
  await tell(
    socket,
    "answer_result",
    result("q1", { isCorrect: false, pointAwarded: 0, answer: "B" }),
  );

  const modal = screen.getByRole("dialog", { name: "Wrong Move!" });
  expect(modal).toHaveTextContent("The right answer is Ajax");
  expect(modal).toHaveTextContent("Ajax won in Vienna.");
  await user.click(within(modal).getByRole("button", { name: "Close dialog" }));

  expect(screen.getByRole("button", { name: /Ajax.*right answer/ })).toBeInTheDocument();
  expect(screen.getByRole("button", { name: /Bayern.*wrong/ })).toBeInTheDocument();
  expect(screen.getByRole("button", { name: "Continue" })).toBeInTheDocument();
});

test("a promotion is celebrated and changes the badge everywhere", async () => {
  const { user, socket } = await play();
  await user.click(screen.getByRole("button", { name: /Ajax/ }));
  await tell(
    socket,
    "answer_result",
    result("q1", { promotedTo: "super-fan", badge: "super-fan" }),
  );

  expect(screen.getByRole("dialog")).toHaveTextContent("You are now Super Fan");
  expect(session.read()?.badge).toBe("super-fan");
});

test("when the time is up the member is told and an empty answer goes out once", async () => {
  const { socket } = await play();

  await tell(socket, "time_up", { questionId: "q1" });
  await tell(socket, "time_up", { questionId: "q1" });

  expect(await screen.findByText("Time's up!")).toBeInTheDocument();
  expect(socket.of("answer_question").map(({ content }) => content["answer"])).toEqual([""]);
});

test("without the server's word the countdown itself ends the question", async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true });
  const { socket } = await play();

  await act(async () => vi.advanceTimersByTimeAsync(15_800));

  expect(screen.getByText("Time's up!")).toBeInTheDocument();
  expect(socket.of("answer_question")).toHaveLength(1);
});

test("after a drop the line enters again with resume, and sends what was pressed meanwhile", async () => {
  const { user, socket } = await play();

  await act(async () => socket.hear("disconnect", "transport close"));
  expect(screen.getByText(/Connecting\.\.\./)).toBeInTheDocument();
  await user.click(screen.getByRole("button", { name: /Chelsea/ }));
  expect(socket.of("answer_question")).toHaveLength(0);
  await connect(socket);
  expect(socket.of("enter_battle_zone")[1]?.content).toMatchObject({ resume: true });
  expect(socket.of("answer_question")).toHaveLength(0);
  await tell(socket, "new_question", question("q1", { resumed: true, deadlineAt: inSeconds(6) }));

  expect(socket.of("answer_question").map(({ content }) => content["answer"])).toEqual(["C"]);
  expect(screen.getByRole("timer")).toHaveAccessibleName(/^[67] seconds left$/);
});

test("what was pressed during a drop is not sent when the question is over", async () => {
  const { user, socket } = await play();
  await act(async () => socket.hear("disconnect", "transport close"));
  await user.click(screen.getByRole("button", { name: /Chelsea/ }));

  await connect(socket);
  await tell(
    socket,
    "answer_result",
    result("q1", { isCorrect: false, timedOut: true, answer: null }),
  );
  await act(async () => socket.of("enter_battle_zone")[1]?.acknowledge({ state: "result" }));

  expect(socket.of("answer_question")).toHaveLength(0);
  expect(screen.getByRole("dialog", { name: "Wrong Move!" })).toHaveTextContent(
    "The time ran out.",
  );
});

test("three failed tries offer Reconnect, and the network's return connects by itself", async () => {
  const { user, socket } = await play();
  await act(async () => socket.hear("disconnect", "transport close"));
  await act(async () => socket.hearFromManager("reconnect_failed"));
  expect(await screen.findByText("Unable to initiate a connection")).toBeInTheDocument();

  await user.click(screen.getByRole("button", { name: "Reconnect" }));
  await waitFor(() => expect(sockets.at(-1)).not.toBe(socket));
  const second = await line();
  await act(async () => second.hearFromManager("reconnect_failed"));
  await act(async () => window.dispatchEvent(new Event("online")));
  await waitFor(() => expect(sockets.at(-1)).not.toBe(second));
  const third = await line();
  await connect(third);

  expect(third.of("enter_battle_zone")[0]?.content).toMatchObject({ resume: true });
});

test("a line that cannot be opened on entering says so", async () => {
  const { user } = openAppAsMember("/battle-zone");
  await user.click(await screen.findByRole("button", { name: "Enter Battle Ground" }));
  const socket = await line();

  await act(async () => socket.hearFromManager("reconnect_failed"));

  expect(await screen.findAllByText("Unable to initiate a connection")).toHaveLength(2);
  expect(screen.getByRole("button", { name: "Reconnect" })).toBeInTheDocument();
});

test("a line that ticked and fell silent is opened anew", async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true });
  const { socket } = await play();
  await tell(socket, "time_update", { remainingTime: 14 });

  await act(async () => vi.advanceTimersByTimeAsync(5100));
  await vi.waitFor(() => expect(sockets.at(-1)).not.toBe(socket));

  expect(socket.closed).toBe(true);
});

test("a reload in the middle comes back with resume to the same question", async () => {
  const first = await play();
  first.unmount();
  expect(first.socket.closed).toBe(true);

  openAppAsMember("/battle-zone");
  const socket = await line();
  await connect(socket);
  expect(socket.of("enter_battle_zone")[0]?.content).toMatchObject({ resume: true });
  await tell(socket, "new_question", question("q1", { resumed: true, deadlineAt: inSeconds(9) }));

  expect(await screen.findByRole("heading", { name: "Who won q1?" })).toBeInTheDocument();
  expect(screen.getByRole("timer")).toHaveAccessibleName(/^(9|10) seconds left$/);
});

test("a reload after the answer shows the result with the words of its question", async () => {
  const first = await play();
  first.unmount();
  openAppAsMember("/battle-zone");
  const socket = await line();
  await connect(socket);

  await tell(socket, "answer_result", result("q1", { isCorrect: false, answer: "B" }));
  await act(async () => socket.of("enter_battle_zone")[0]?.acknowledge({ state: "result" }));

  expect(await screen.findByRole("dialog", { name: "Wrong Move!" })).toHaveTextContent("Ajax");
});

test("closing the tab is guarded only while a question runs", async () => {
  const { socket } = await play();
  const asks = () => fireEvent(window, new Event("beforeunload", { cancelable: true })) === false;

  expect(asks()).toBe(true);
  await tell(socket, "answer_result", result());

  expect(asks()).toBe(false);
});

test("the day's questions used up: an info toast without HTML, and when it opens again", async () => {
  const { socket } = await play();

  await tell(socket, "attempted_all_question", {
    message: "<b>All done</b> for today",
    nextOpensAt: inSeconds(3661),
  });

  expect(await screen.findAllByText("All done for today")).toHaveLength(2);
  expect(screen.getByRole("heading", { name: "You have played today's questions" })).toBeVisible();
  expect(screen.getByRole("timer", { name: "The next questions open in" })).toHaveTextContent(
    /^01:01:0[01]$/,
  );
});

test("the day's questions used up without a message still makes a toast", async () => {
  const { socket } = await play();

  await tell(socket, "attempted_all_question", {});

  expect((await screen.findAllByText("You have a new message"))[0]).toBeInTheDocument();
});

test("no more questions: the end message with points and right answers", async () => {
  const { user, socket } = await play();

  await tell(socket, "no_more_questions", {
    points: 90,
    cnt: 12,
    answeredCorrectly: 9,
    today: { points: 40, cnt: 5, answeredCorrectly: 4 },
    message: "Well played.",
    nextOpensAt: inSeconds(100),
  });

  const face = screen.getByRole("region", { name: "Full time!" });
  expect(face).toHaveTextContent("Well played.");
  expect(face).toHaveTextContent("40points today");
  expect(face).toHaveTextContent("4 of 5 answered correctly");
  expect(face).toHaveTextContent("This season: 90 points, 9 of 12 answered correctly");
  await user.click(screen.getByRole("button", { name: "Back to the ladder" }));
  expect(await screen.findByRole("heading", { name: "KING of fans!" })).toBeInTheDocument();
});

test("an empty bank says its own message", async () => {
  const { socket } = await play();

  await tell(socket, "empty_question", { message: "Nothing for your rank yet." });

  expect(screen.getByText("Nothing for your rank yet.")).toBeInTheDocument();
});

test("the challengers show place, emblem, name, club and points, ties alike, my row marked", async () => {
  const { socket } = await play();
  const row = { emblem: "/media/crests/club.svg", me: false };
  await tell(socket, "challengers_list", {
    data: [
      { ...row, rank: 1, firstname: "Bello", lastname: "Musa", name: "Arsenal", points: 1200 },
      {
        ...row,
        rank: 1,
        firstname: "Ada Grace",
        lastname: "Obi",
        name: "Enyimba",
        points: 1200,
        me: true,
      },
    ],
  });

  const rows = within(screen.getByRole("table")).getAllByRole("row");

  expect(rows.map(({ textContent }) => textContent)).toEqual([
    "#ChallengerPoints",
    "1Musa BelloArsenal1,200",
    "1Obi Ada GraceYouEnyimba1,200",
  ]);
});

test("playing on another device ends this seat until it is taken back", async () => {
  const { user, socket } = await play();
  await tell(socket, "session_taken_over", { message: "You opened Battle Zone on another device" });
  expect(screen.getByText("You opened Battle Zone on another device")).toBeInTheDocument();
  expect(socket.closed).toBe(true);
  await act(async () => window.dispatchEvent(new Event("online")));
  expect(sockets.filter(({ closed }) => !closed)).toHaveLength(0);

  await user.click(screen.getByRole("button", { name: "Play here instead" }));
  const mine = await line();
  await connect(mine);

  expect(mine.of("enter_battle_zone")[0]?.content).toMatchObject({ resume: true });
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

test("an acknowledgement that never comes opens a new line", async () => {
  const { user, socket } = await play();
  await user.click(screen.getByRole("button", { name: /Ajax/ }));

  await act(async () => socket.of("answer_question")[0]?.lose());
  await waitFor(() => expect(sockets.at(-1)).not.toBe(socket));
  const second = await line();
  await connect(second);
  await tell(second, "new_question", question("q1", { resumed: true }));

  expect(second.of("answer_question").map(({ content }) => content["answer"])).toEqual(["A"]);
});

test("a server that hangs up is called again", async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true });
  const { socket } = await play();

  await act(async () => socket.hear("disconnect", "io server disconnect"));
  await act(async () => vi.advanceTimersByTimeAsync(1100));
  await vi.waitFor(() => expect(sockets.at(-1)).not.toBe(socket));
  const second = sockets.at(-1) as FakeSocket;
  await connect(second);

  expect(second.of("enter_battle_zone")[0]?.content).toMatchObject({ resume: true });
});
