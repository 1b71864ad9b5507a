import { act, screen, waitFor, within } from "@testing-library/react";
import { beforeEach, expect, test, vi } from "vitest";
import type { TriviaReview } from "@/api/wire";
import { aSession, aTriviaAttempt, inSeconds, triviaQuestions } from "@/test/factories";
import { openAppAsMember } from "@/test/render";
import { envelope, refusal, type SeenRequest, serve } from "@/test/server";

const CONGRATULATIONS = "Congratulations! You have attempted today daily quest question.";
const SURE = "Are you sure you want to submit your answers now?";

let attempt = aTriviaAttempt();
let questions = triviaQuestions();
let submits: SeenRequest[] = [];

function reviewed(): TriviaReview[] {
  return triviaQuestions().map((question, index) => ({
    ...question,
    chosen: ["A", "B", null][index] ?? null,
    right: "A",
    explanation: `Because of ${question.id}.`,
  }));
}

function outcome() {
  return { point: 5, points: 5, correct: 1, total: 3, review: reviewed(), streak: 4 };
}

beforeEach(() => {
  attempt = aTriviaAttempt();
  questions = triviaQuestions();
  serve("get", "/api/v1/question/attempted-daily-trivial-question/:club/:id", () =>
    envelope(200, attempt),
  );
  serve("get", "/api/v1/question/daily-trivial-question/:club/:id", () => envelope(200, questions));
  submits = serve("post", "/api/v1/question/submit-trivia-question", () =>
    envelope(201, outcome(), "Well played."),
  );
});

/** Open the quest and go to its last slide, with the given answers. */
async function playTo(answers: string[]) {
  const app = openAppAsMember("/trivia-questions");
  await screen.findByRole("group", { name: "The first question?" });
  for (const [index, name] of answers.entries()) {
    if (name !== "") {
      await app.user.click(screen.getByRole("radio", { name }));
    }
    if (index < answers.length - 1) {
      await app.user.click(screen.getByRole("button", { name: "Next" }));
    }
  }
  return app;
}

test("one question per slide with radios, progress, points, and a way back", async () => {
  const { user } = openAppAsMember("/trivia-questions");

  const slide = await screen.findByRole("group", { name: "The first question?" });
  expect(within(slide).getAllByRole("radio")).toHaveLength(4);
  expect(screen.getByText("Each question carries 5 points")).toBeInTheDocument();
  expect(screen.getByText("1 of 3")).toBeInTheDocument();
  expect(screen.getByRole("button", { name: "Previous" })).toBeDisabled();
  expect(screen.queryByRole("button", { name: "Submit" })).toBeNull();

  await user.click(screen.getByRole("button", { name: "Next" }));
  expect(screen.getByRole("heading", { name: "The second question?" })).toHaveFocus();
  await user.click(screen.getByRole("button", { name: "Next" }));
  expect(screen.getByRole("button", { name: "Submit" })).toBeInTheDocument();
  expect(screen.queryByRole("button", { name: "Next" })).toBeNull();
  await user.click(screen.getByRole("button", { name: "Previous" }));

  expect(screen.getByText("2 of 3")).toBeInTheDocument();
});

test("the number and letter keys choose", async () => {
  const { user } = openAppAsMember("/trivia-questions");
  await screen.findByRole("group", { name: "The first question?" });

  await user.keyboard("2");
  expect(screen.getByRole("radio", { name: "Benin" })).toBeChecked();
  await user.keyboard("d");

  expect(screen.getByRole("radio", { name: "Dutse" })).toBeChecked();
});

test("answers and place are kept through a reload, but not for another member or day", async () => {
  const first = await playTo(["Benin", "Calabar"]);
  first.unmount();

  const again = openAppAsMember("/trivia-questions");
  expect(await screen.findByText("2 of 3")).toBeInTheDocument();
  expect(screen.getByRole("radio", { name: "Calabar" })).toBeChecked();
  again.unmount();

  attempt = aTriviaAttempt({ day: "2026-11-22" });
  const tomorrow = openAppAsMember("/trivia-questions");
  expect(await screen.findByText("1 of 3")).toBeInTheDocument();
  expect(screen.getByRole("radio", { name: "Benin" })).not.toBeChecked();
  tomorrow.unmount();

  attempt = aTriviaAttempt();
  openAppAsMember("/trivia-questions", aSession({ id: "member-2" }));
  expect(await screen.findByText("1 of 3")).toBeInTheDocument();
});

test("submitting asks first, counts what is open and leads there", async () => {
  const { user } = await playTo(["Aba", "", ""]);

  await user.click(screen.getByRole("button", { name: "Submit" }));
  const modal = screen.getByRole("dialog");
  expect(modal).toHaveTextContent(SURE);
  expect(modal).toHaveTextContent("2 questions are unanswered");
  await user.click(within(modal).getByRole("button", { name: "Go to question 2" }));

  expect(screen.getByText("2 of 3")).toBeInTheDocument();
  expect(submits).toHaveLength(0);
});

test("a sheet without any answer is not handed in", async () => {
  const { user } = await playTo(["", "", ""]);

  await user.click(screen.getByRole("button", { name: "Submit" }));

  expect(await screen.findByRole("alert")).toHaveTextContent(
    "Please answer at least one question.",
  );
  expect(screen.queryByRole("dialog")).toBeNull();
  expect(submits).toHaveLength(0);
});

test("a submitted sheet sends its answers once, as a JSON string, and shows the review", async () => {
  const { user } = await playTo(["Aba", "Benin", ""]);
  await user.click(screen.getByRole("button", { name: "Submit" }));
  await user.click(within(screen.getByRole("dialog")).getByRole("button", { name: "Submit" }));

  expect(await screen.findByRole("heading", { name: CONGRATULATIONS })).toBeInTheDocument();
  expect(submits).toHaveLength(1);
  expect(submits[0]?.body).toEqual({
    userId: "member-1",
    clubId: "club-1",
    choices: '[{"question":"first","answer":"A"},{"question":"second","answer":"B"}]',
  });
  expect(submits[0]?.headers.get("Idempotency-Key")).toMatch(/^[0-9a-f-]{36}$/);
  expect(screen.getByText("points earned").parentElement).toHaveTextContent("5points earned");
  expect(screen.getByText("1 of 3 answered correctly")).toBeInTheDocument();
  expect(screen.getByText("4-day streak")).toBeInTheDocument();
  const lines = within(screen.getByRole("region", { name: "The right answers" })).getAllByRole(
    "listitem",
  );
  expect(lines[0]).toHaveTextContent("You were right: Aba");
  expect(lines[1]).toHaveTextContent("Right answer: AbaYour answer: BeninBecause of second.");
  expect(lines[2]).toHaveTextContent("Your answer: none");
  expect(sessionStorage.getItem("trivia")).toBeNull();
});

test("after a lost answer the same sheet goes out under the same key", async () => {
  const { user } = await playTo(["Aba", "Aba", "Aba"]);
  submits = serve("post", "/api/v1/question/submit-trivia-question", () =>
    submits.length === 1 ? refusal(503, "unavailable", "Too busy.") : envelope(201, outcome()),
  );
  for (const face of ["Too busy.", CONGRATULATIONS]) {
    await user.click(screen.getByRole("button", { name: "Submit" }));
    await user.click(within(screen.getByRole("dialog")).getByRole("button", { name: "Submit" }));
    await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
    await screen.findByText(face);
  }

  const keys = submits.map(({ headers }) => headers.get("Idempotency-Key"));

  expect(keys).toHaveLength(2);
  expect(keys[0]).toBe(keys[1]);
});

test("after a lost answer the sheet stays while the points are refetched, and a second try is told", async () => {
  const { user } = await playTo(["Aba", "Aba", "Aba"]);
  submits = serve("post", "/api/v1/question/submit-trivia-question", () => {
    attempt = aTriviaAttempt({ points: 5, point: 5, correct: 1, total: 3, review: reviewed() });
    return submits.length === 1 ? Response.error() : envelope(201, outcome());
  });
  const submit = async () => {
    await user.click(screen.getByRole("button", { name: "Submit" }));
    await user.click(within(screen.getByRole("dialog")).getByRole("button", { name: "Submit" }));
  };
  await submit();
  await screen.findByText(/Try again: it will only be done once/);

  const asked = serve("get", "/api/v1/question/attempted-daily-trivial-question/:club/:id", () =>
    envelope(200, attempt),
  );
  vi.setSystemTime(Date.now() + 60_000);
  window.dispatchEvent(new Event("visibilitychange"));
  await waitFor(() => expect(asked).toHaveLength(1));
  await submit();

  expect(await screen.findByRole("heading", { name: CONGRATULATIONS })).toBeInTheDocument();
  expect(submits).toHaveLength(2);
});

test("a sheet that was handed in elsewhere says so and shows that attempt", async () => {
  const { user } = await playTo(["Aba", "Aba", "Aba"]);
  serve("post", "/api/v1/question/submit-trivia-question", () => {
    attempt = aTriviaAttempt({ points: 10, point: 10, correct: 2, total: 3, review: reviewed() });
    return refusal(409, "already_attempted", "You have already attempted today's quest.", {
      data: { points: 10 },
    });
  });
  await user.click(screen.getByRole("button", { name: "Submit" }));
  await user.click(within(screen.getByRole("dialog")).getByRole("button", { name: "Submit" }));

  await screen.findByText("You have already attempted today's quest.");
  expect(await screen.findByText(/check back tomorrow/)).toBeInTheDocument();
});

test("a sheet whose day is over says so and opens the new day's quest", async () => {
  const { user } = await playTo(["Aba", "Aba", "Aba"]);
  serve("post", "/api/v1/question/submit-trivia-question", () => {
    attempt = aTriviaAttempt({ day: "2026-11-22" });
    questions = triviaQuestions().toReversed();
    return refusal(409, "no_daily_quest", "This daily quest is over.");
  });
  await user.click(screen.getByRole("button", { name: "Submit" }));
  await user.click(within(screen.getByRole("dialog")).getByRole("button", { name: "Submit" }));

  // The toast moves from the dialog to the page when the dialog closes.
  await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
  expect(await screen.findByText("This daily quest is over.")).toBeInTheDocument();
  expect(await screen.findByRole("group", { name: "The third question?" })).toBeInTheDocument();
  expect(screen.getByText("1 of 3")).toBeInTheDocument();
});

test("midnight does not take the questions away from who is answering them", async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true });
  attempt = aTriviaAttempt({ nextAt: inSeconds(2) });
  await playTo(["Benin"]);

  attempt = aTriviaAttempt({ day: "2026-11-22" });
  questions = [];
  await act(async () => vi.advanceTimersByTimeAsync(40_000));
  await act(async () => void window.dispatchEvent(new Event("visibilitychange")));

  expect(screen.getByRole("radio", { name: "Benin" })).toBeChecked();
});

test("a later visit shows the points, 'check back tomorrow', the countdown and the review", async () => {
  vi.useFakeTimers({ toFake: ["Date"] });
  attempt = aTriviaAttempt({ points: 5, point: 5, correct: 1, total: 3, review: reviewed() });
  openAppAsMember("/trivia-questions");

  expect(await screen.findByRole("heading", { name: /check back tomorrow/ })).toBeInTheDocument();
  expect(screen.queryByText(CONGRATULATIONS)).toBeNull();
  expect(screen.getByText("points earned").parentElement).toHaveTextContent("5points earned");
  expect(screen.getByRole("timer")).toHaveTextContent(/^01:02:03$/);
  expect(screen.getByRole("region", { name: "The right answers" })).toBeInTheDocument();
});

test("the countdown follows the server's clock, and its midnight brings the new quest", async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true });
  attempt = aTriviaAttempt({
    points: 5,
    point: 5,
    serverNow: "2031-05-01T22:59:50.000Z",
    nextAt: "2031-05-01T23:00:00.000Z",
  });
  openAppAsMember("/trivia-questions");
  expect(await screen.findByRole("timer")).toHaveTextContent(/^00:00:(09|10)$/);

  attempt = aTriviaAttempt({ day: "2031-05-02" });
  await act(async () => vi.advanceTimersByTimeAsync(11_500));

  expect(await screen.findByRole("group", { name: "The first question?" })).toBeInTheDocument();
});

test("a club without a quest is told", async () => {
  questions = [];
  openAppAsMember("/trivia-questions");

  expect(
    await screen.findByText("Apologies! No daily quest question for your club at the moment"),
  ).toBeInTheDocument();
});

test("a quest that does not load shows the server's message as a toast, and can be asked again", async () => {
  let down = true;
  serve("get", "/api/v1/question/daily-trivial-question/:club/:id", () =>
    down ? refusal(503, "unavailable", "The quest is busy.") : envelope(200, questions),
  );
  const { user } = openAppAsMember("/trivia-questions");
  expect(await screen.findAllByText("The quest is busy.")).not.toHaveLength(0);
  const region = screen.getByRole("region", { name: "Notifications" });
  expect(await within(region).findByText("The quest is busy.")).toBeInTheDocument();

  down = false;
  await user.click(screen.getByRole("button", { name: "Try again" }));

  expect(await screen.findByRole("group", { name: "The first question?" })).toBeInTheDocument();
});

test("the streak is shown while it can still be lost", async () => {
  attempt = aTriviaAttempt({ streak: 3, nextAt: inSeconds(60) });
  openAppAsMember("/trivia-questions");

  expect(await screen.findByText("3-day streak")).toBeInTheDocument();
});

test("the progress fills for answered questions only", async () => {
  const { container } = (await playTo(["", "Aba", ""])) as { container: HTMLElement };

  const bars = [...container.querySelectorAll(".pips > span")];

  expect(bars.map((bar) => bar.classList.contains("is-reached"))).toEqual([false, true, false]);
});

test.each([
  [5, "is-perfect", "Perfect! Every answer is right."],
  [3, "is-good", "Well played."],
  [2, "is-low", "Tomorrow brings a new chance."],
  [0, "is-low", "Tomorrow brings a new chance."],
])("%i of 5 right has its own celebration", async (correct, sign, words) => {
  attempt = aTriviaAttempt({ points: correct * 5, correct, total: 5, review: reviewed() });
  openAppAsMember("/trivia-questions");

  expect(await screen.findByText(words)).toBeInTheDocument();
  expect(document.querySelector(".result-sign")).toHaveClass(sign);
});
