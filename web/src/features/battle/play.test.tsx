import { act, fireEvent, screen, waitFor, within } from "@testing-library/react";
import { beforeEach, expect, test, vi } from "vitest";
import { session } from "@/lib/session/session";
import { play, question, receive, result, serveTheZone, type Zone } from "@/test/battle";
import { inSeconds, theDay, theSeason } from "@/test/factories";
import { envelope, serve } from "@/test/server";

let zone: Zone;

beforeEach(() => {
  zone = serveTheZone();
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

  await receive(socket, "answer_result", result("q1"));
  await user.keyboard("{Enter}");
  await receive(socket, "new_question", question("q2"));
  await user.keyboard("d");

  expect(socket.of("answer_question")[1]?.content).toMatchObject({ questionId: "q2", answer: "D" });
});

test("a right answer is a Good Job! with its points, and Continue asks for the next", async () => {
  const { user, socket } = await play();
  await user.click(screen.getByRole("button", { name: /Ajax/ }));
  await receive(socket, "answer_result", result());

  const modal = screen.getByRole("dialog", { name: "Good Job!" });
  expect(modal).toHaveTextContent("+10 points");
  expect(modal).toHaveTextContent("40 of 50 battle points to Super Fan");
  const proceed = within(modal).getByRole("button", { name: "Continue" });
  expect(proceed).toHaveFocus();
  await user.keyboard("{Enter}");

  expect(socket.of("next_question")).toHaveLength(1);
  expect(screen.queryByRole("dialog")).toBeNull();
});

test("a wrong answer is a Wrong Move! with the right one and why; closing it leaves both to read", async () => {
  const { user, socket } = await play();
  await user.click(screen.getByRole("button", { name: /Bayern/ }));
  await receive(
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

const PROMOTION_SEEN = "/api/v1/celebrations/promotion-1/seen";

test("a promotion is celebrated and changes the badge everywhere", async () => {
  const { user, socket } = await play();
  await user.click(screen.getByRole("button", { name: /Ajax/ }));
  await receive(
    socket,
    "answer_result",
    result("q1", { promotedTo: "super-fan", badge: "super-fan" }),
  );

  expect(session.read()?.badge).toBe("super-fan");
  expect(screen.getByRole("dialog", { name: "Good Job!" })).toBeInTheDocument();
  const seen = serve("post", "/api/v1/celebrations/:id/seen", () => envelope(200, null));
  await user.click(within(screen.getByRole("dialog")).getByRole("button", { name: "Continue" }));

  const dialog = screen.getByRole("dialog", { name: "You are now Super Fan" });
  expect(
    within(dialog)
      .getAllByRole("listitem")
      .map(({ textContent }) => textContent),
  ).toEqual(["King of Fans", "Super FanYou are here", "Rookie"]);
  const share = within(dialog).getByRole("button", { name: "Share" });
  await waitFor(() => expect(share).toBeEnabled());
  expect(socket.of("next_question")).toHaveLength(0);
  await user.click(within(dialog).getByRole("button", { name: "Continue" }));

  expect(screen.queryByRole("dialog")).toBeNull();
  expect(socket.of("next_question")).toHaveLength(1);
  await waitFor(() => expect(seen.map(({ url }) => url.pathname)).toEqual([PROMOTION_SEEN]));
});

test("when the time is up the member is told and an empty answer goes out once", async () => {
  const { socket } = await play();

  await receive(socket, "time_up", { questionId: "q1" });
  await receive(socket, "time_up", { questionId: "q1" });

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

test("closing the tab is guarded only while a question runs", async () => {
  const { socket } = await play();
  const asks = () => fireEvent(window, new Event("beforeunload", { cancelable: true })) === false;

  expect(asks()).toBe(true);
  await receive(socket, "answer_result", result());

  expect(asks()).toBe(false);
});

test("the day's questions used up: an info toast without HTML, and when it opens again", async () => {
  vi.useFakeTimers({ toFake: ["Date"] });
  serveTheZone(); // with the time at which the clock stands
  const { socket } = await play();

  await receive(socket, "attempted_all_question", {
    message: "<b>All done</b> for today",
    nextOpensAt: inSeconds(3661),
  });

  await waitFor(() => expect(screen.getAllByText("All done for today")).toHaveLength(2));
  expect(screen.getByRole("heading", { name: "You have played today's questions" })).toBeVisible();
  expect(screen.getByRole("timer", { name: "The next questions open in" })).toHaveTextContent(
    /^01:01:01$/,
  );
});

test("the day's questions used up without a message still makes a toast", async () => {
  const { socket } = await play();

  await receive(socket, "attempted_all_question", {});

  expect((await screen.findAllByText("You have a new message"))[0]).toBeInTheDocument();
});

test("no more questions: the end message with points and right answers", async () => {
  const { user, socket } = await play();

  await receive(socket, "no_more_questions", {
    points: 90,
    cnt: 12,
    answeredCorrectly: 9,
    today: { points: 30, cnt: 4, answeredCorrectly: 3, served: 5, timedOut: 1 },
    message: "Well played.",
    nextOpensAt: inSeconds(100),
  });

  const face = screen.getByRole("region", { name: "Full time!" });
  expect(face).toHaveTextContent("Well played.");
  expect(face).toHaveTextContent("30points today");
  expect(face).toHaveTextContent("3 of 5 right");
  expect(face).toHaveTextContent("1 ran out of time");
  expect(face).toHaveTextContent("This season: 90 season points, 9 right answers");
  await user.click(screen.getByRole("button", { name: "Back to the ladder" }));
  expect(await screen.findByRole("heading", { name: "KING of fans!" })).toBeInTheDocument();
});

test.each(["no_more_questions", "attempted_all_question"])(
  "after %s the door is closed without a reload, here and on the dashboard",
  async (event) => {
    const { user, socket } = await play();
    zone.season = theSeason({ today: theDay({ state: "done", left: 0 }) });

    await receive(socket, event, { nextOpensAt: inSeconds(100) });
    await user.click(screen.getByRole("button", { name: "Back to the ladder" }));

    expect(await screen.findByRole("heading", { name: "KING of fans!" })).toBeInTheDocument();
    expect(await screen.findByText("You have played today's questions")).toBeInTheDocument();
    expect(screen.queryByRole("button", { name: "Enter Battle Ground" })).toBeNull();
    await user.click(screen.getByRole("link", { name: "Dashboard" }));
    expect(await screen.findByText("Today's questions are played")).toBeInTheDocument();
  },
);

test("a battle that is left with questions to go is counted at the door", async () => {
  const { user, socket } = await play();
  await receive(socket, "answer_result", result());
  zone.season = theSeason({ today: theDay({ left: 3 }) });

  await user.click(screen.getByRole("link", { name: "Dashboard" }));

  expect(await screen.findByText("3 questions left")).toBeInTheDocument();
});

test("an empty bank says its own message", async () => {
  const { socket } = await play();

  await receive(socket, "empty_question", { message: "Nothing for your rank yet." });

  expect(screen.getByText("Nothing for your rank yet.")).toBeInTheDocument();
});

test("the challengers show place, emblem, name, club and points, ties alike, my row marked", async () => {
  const { socket } = await play();
  const row = { emblem: "/media/crests/club.svg", me: false };
  await receive(socket, "challengers_list", {
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
    "#ChallengerSeason points",
    "1MMusa BelloArsenal1,200",
    "1OObi AdaYouEnyimba1,200",
  ]);
});

test("a member without points stands below the challengers without a place", async () => {
  const { socket } = await play();
  const row = { emblem: "/media/crests/club.svg", name: "Enyimba" };
  await receive(socket, "challengers_list", {
    data: [
      { ...row, rank: 1, firstname: "Bello", lastname: "Musa", points: 10, me: false },
      { ...row, rank: null, firstname: "Ada", lastname: "Obi", points: 0, me: true },
    ],
  });

  const rows = within(screen.getByRole("table")).getAllByRole("row");

  expect(rows.map(({ textContent }) => textContent)).toEqual([
    "#ChallengerSeason points",
    "1MMusa BelloEnyimba10",
    "–OObi AdaYouEnyimba0",
  ]);
});
