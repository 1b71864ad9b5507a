import { screen, waitFor, within } from "@testing-library/react";
import { HttpResponse } from "msw";
import { beforeEach, expect, test, vi } from "vitest";
import type { Match, PredictionRow } from "@/api/wire";
import { aSession } from "@/test/factories";
import { aMatch, anId, aTeam } from "@/test/matches";
import { openAppAsMember } from "@/test/render";
import { envelope, refusal, serve } from "@/test/server";

interface Saving {
  home: number;
  away: number;
  base: string | null;
}

let open: PredictionRow[] = [];
let closed: PredictionRow[] = [];

const aPrediction = (fixture: Match, change: Partial<PredictionRow> = {}): PredictionRow => ({
  fixture,
  home: null,
  away: null,
  points: null,
  outcome: "pending",
  ...change,
});

/** When the number-th prediction of a test is saved. */
const anInstant = (number: number) => `2026-11-27T10:00:0${number}.000Z`;

/** The open match with a saved prediction; none for null. */
function stored(score: { home: number; away: number } | null, savedAt = anInstant(1)) {
  const { home = null, away = null } = score ?? {};
  const prediction =
    score === null
      ? null
      : { home: score.home, away: score.away, points: null, outcome: "pending", savedAt };
  open = [aPrediction(aMatch(40, { prediction }), { home, away })];
}

/** Save as the server does: each prediction is newer than the one before. */
function saves(body: unknown, number: number) {
  const { home, away } = body as Saving;
  stored({ home, away }, anInstant(number));
  const closesAt = aMatch(40).kickOffAt;
  const saved = { fixtureId: anId(40), home, away, savedAt: anInstant(number), closesAt };
  return envelope(200, saved);
}

/** A response that is held back until `answer` is called. */
function held() {
  let answer = () => {};
  const mayAnswer = new Promise<void>((resolve) => {
    answer = resolve;
  });
  return { mayAnswer, answer: () => answer() };
}

beforeEach(() => {
  stored(null);
  closed = [];
  serve("get", "/api/v1/predictions", ({ url }) =>
    envelope(200, url.searchParams.get("state") === "closed" ? closed : open),
  );
});

async function card() {
  return within(
    await screen.findByRole("region", { name: "Your prediction: Enyimba against Kano Pillars" }),
  );
}

test("a score is set by its steppers, saved automatically, and told as saved", async () => {
  const saved = serve("put", "/api/v1/predictions/:id", ({ body }) => saves(body, saved.length));
  const { user } = openAppAsMember("/predictions");
  const { getByRole, findByText } = await card();
  expect(screen.getByText("1 match to predict")).toBeInTheDocument();

  await user.click(getByRole("button", { name: "One more: Enyimba" }));
  await user.click(getByRole("button", { name: "One more: Enyimba" }));
  await user.click(getByRole("button", { name: "One more: Kano Pillars" }));

  expect(await findByText("Saved: 2–1")).toBeInTheDocument();
  expect(saved.at(-1)?.url.pathname).toBe(`/api/v1/predictions/${anId(40)}`);
  expect(saved.at(-1)?.body).toEqual({ home: 2, away: 1, base: null });
  expect(screen.getByText("All matches are predicted")).toBeInTheDocument();
});

test("a saved score whose answer was lost is saved again, and no error stands beside it", async () => {
  const saved = serve("put", "/api/v1/predictions/:id", ({ body }) => {
    const answer = saves(body, 1);
    return saved.length === 1 ? HttpResponse.error() : answer;
  });
  const { user } = openAppAsMember("/predictions");
  const { getByRole, findByText } = await card();

  await user.click(getByRole("button", { name: "One more: Enyimba" }));

  expect(await findByText("Saved: 1–0")).toBeInTheDocument();
  expect(saved).toHaveLength(2);
  expect(screen.queryByText(/No answer from the server/)).toBeNull();
});

test("what is changed while a score is being saved stays, and is saved after it", async () => {
  const { mayAnswer, answer } = held();
  const saved = serve("put", "/api/v1/predictions/:id", async ({ body }) => {
    await mayAnswer;
    return saves(body, saved.length);
  });
  const { user } = openAppAsMember("/predictions");
  const { getByRole, getByText, findByText } = await card();
  await user.click(getByRole("button", { name: "One more: Enyimba" }));
  await waitFor(() => expect(saved).toHaveLength(1));
  expect(getByText("Saving…")).toBeInTheDocument();

  await user.click(getByRole("button", { name: "One more: Enyimba" }));
  answer();

  expect(await findByText("Saved: 2–0")).toBeInTheDocument();
  expect(saved.map(({ body }) => body)).toEqual([
    { home: 1, away: 0, base: null },
    { home: 2, away: 0, base: anInstant(1) },
  ]);
});

test("a draw without goals is one press", async () => {
  const saved = serve("put", "/api/v1/predictions/:id", ({ body }) => saves(body, saved.length));
  const { user } = openAppAsMember("/predictions");
  const { getByRole, findByText } = await card();

  await user.click(getByRole("button", { name: "Predict 0–0" }));

  expect(await findByText("Saved: 0–0")).toBeInTheDocument();
  expect(saved).toHaveLength(1);
});

test("a score that waits is saved when the screen is left", async () => {
  const saved = serve("put", "/api/v1/predictions/:id", ({ body }) => saves(body, saved.length));
  const { user } = openAppAsMember("/predictions");
  const { getByRole } = await card();
  await user.click(getByRole("button", { name: "One more: Enyimba" }));

  await user.click(screen.getByRole("radio", { name: "Results" }));

  await waitFor(() =>
    expect(saved.map(({ body }) => body)).toEqual([{ home: 1, away: 0, base: null }]),
  );
});

test("the newest score is saved although the screen is left while an older one is being saved", async () => {
  const { mayAnswer, answer } = held();
  const saved = serve("put", "/api/v1/predictions/:id", async ({ body }) => {
    if (saved.length === 1) {
      await mayAnswer;
    }
    return saves(body, saved.length);
  });
  const { user } = openAppAsMember("/predictions");
  const { getByRole } = await card();
  await user.click(getByRole("button", { name: "One more: Enyimba" }));
  await waitFor(() => expect(saved).toHaveLength(1));
  await user.click(getByRole("button", { name: "One more: Enyimba" }));
  await user.click(getByRole("button", { name: "One more: Enyimba" }));

  await user.click(screen.getByRole("radio", { name: "Results" }));
  expect(await screen.findByText("No predictions yet")).toBeInTheDocument();
  answer();

  await waitFor(() =>
    expect(saved.map(({ body }) => body)).toEqual([
      { home: 1, away: 0, base: null },
      { home: 3, away: 0, base: anInstant(1) },
    ]),
  );
  await user.click(screen.getByRole("radio", { name: "Predict" }));
  expect(await (await card()).findByText("Saved: 3–0")).toBeInTheDocument();
});

test("a score that is still being saved is shown as such on coming back, and is not sent twice", async () => {
  const { mayAnswer, answer } = held();
  const saved = serve("put", "/api/v1/predictions/:id", async ({ body }) => {
    await mayAnswer;
    return saves(body, saved.length);
  });
  const { user } = openAppAsMember("/predictions");
  await user.click((await card()).getByRole("button", { name: "One more: Enyimba" }));
  await user.click(screen.getByRole("radio", { name: "Results" }));
  await waitFor(() => expect(saved).toHaveLength(1));

  await user.click(screen.getByRole("radio", { name: "Predict" }));
  const { getByRole, getByText, findByText } = await card();
  expect(getByText("Saving…")).toBeInTheDocument();
  await user.click(getByRole("button", { name: "One more: Enyimba" }));
  answer();

  expect(await findByText("Saved: 2–0")).toBeInTheDocument();
  expect(saved.map(({ body }) => (body as Saving).home)).toEqual([1, 2]);
});

test("a page that is hidden sends its newest score at once, beside an older save", async () => {
  const { mayAnswer, answer } = held();
  const saved = serve("put", "/api/v1/predictions/:id", async ({ body }) => {
    if (saved.length > 1) {
      return saves(body, 2);
    }
    await mayAnswer;
    return refusal(409, "prediction_changed", "Your prediction was changed on another screen.");
  });
  const { user } = openAppAsMember("/predictions");
  const { getByRole, findByText } = await card();
  await user.click(getByRole("button", { name: "One more: Enyimba" }));
  await waitFor(() => expect(saved).toHaveLength(1));
  await user.click(getByRole("button", { name: "One more: Enyimba" }));

  vi.spyOn(document, "visibilityState", "get").mockReturnValue("hidden");
  document.dispatchEvent(new Event("visibilitychange"));

  await waitFor(() => expect(saved).toHaveLength(2));
  expect(saved.at(-1)?.body).toEqual({ home: 2, away: 0 });
  answer();
  expect(await findByText("Saved: 2–0")).toBeInTheDocument();
  expect(screen.queryByText(/changed on another screen/)).toBeNull();
});

test("a prediction that was changed elsewhere is shown instead of the draft, and can be changed", async () => {
  stored({ home: 1, away: 1 });
  const saved = serve("put", "/api/v1/predictions/:id", ({ body }) => {
    if (saved.length > 1) {
      return saves(body, 3);
    }
    stored({ home: 4, away: 0 }, anInstant(2));
    const sentence = "Your prediction was changed on another screen.";
    const data = { home: 4, away: 0, savedAt: anInstant(2) };
    return refusal(409, "prediction_changed", sentence, { data });
  });
  const { user } = openAppAsMember("/predictions");
  const { getByRole, findByText } = await card();

  await user.click(getByRole("button", { name: "One more: Enyimba" }));
  expect(
    await screen.findByText("Your prediction was changed on another screen."),
  ).toBeInTheDocument();
  expect(await findByText("Saved: 4–0")).toBeInTheDocument();
  await user.click(getByRole("button", { name: "One more: Enyimba" }));

  expect(await findByText("Saved: 5–0")).toBeInTheDocument();
  expect(saved.map(({ body }) => (body as Saving).base)).toEqual([anInstant(1), anInstant(2)]);
});

test("a save that fails after the screen is left names its match", async () => {
  const { mayAnswer, answer } = held();
  serve("put", "/api/v1/predictions/:id", async () => {
    await mayAnswer;
    return refusal(409, "prediction_closed", "Predictions for this match are closed.");
  });
  const { user } = openAppAsMember("/predictions");
  await user.click((await card()).getByRole("button", { name: "Predict 0–0" }));
  await user.click(screen.getByRole("radio", { name: "Results" }));
  await waitFor(() => expect(screen.queryByRole("region", { name: /^Your pred/ })).toBeNull());
  answer();

  expect(
    await screen.findByText("Enyimba v Kano Pillars: Predictions for this match are closed."),
  ).toBeInTheDocument();
});

test("the matches of the own club come first, each in one row", async () => {
  const own = aMatch(60);
  open = [
    aPrediction(aMatch(20, { home: aTeam("Arsenal", 60), away: aTeam("Chelsea", 61) })),
    aPrediction({ ...own, home: { ...own.home, clubId: aSession().club } }),
  ];
  openAppAsMember("/predictions");
  await card();

  const rows = screen.getAllByRole("region", { name: /^Your prediction/ });

  expect(rows.map((row) => row.getAttribute("aria-label"))).toEqual([
    "Your prediction: Enyimba against Kano Pillars",
    "Your prediction: Arsenal against Chelsea",
  ]);
});

test("nothing less than nil and nothing more than twenty can be said", async () => {
  stored({ home: 0, away: 20 });
  openAppAsMember("/predictions");
  const { getByRole } = await card();

  expect(getByRole("button", { name: "One less: Enyimba" })).toBeDisabled();
  expect(getByRole("button", { name: "One more: Kano Pillars" })).toBeDisabled();
});

test("a saved score is taken back", async () => {
  stored({ home: 1, away: 0 });
  const gone = serve("delete", "/api/v1/predictions/:id", () => {
    stored(null);
    return envelope(200, { fixtureId: anId(40), home: null, away: null, savedAt: null });
  });
  const { user } = openAppAsMember("/predictions");

  await user.click((await card()).getByRole("button", { name: "Remove" }));

  await waitFor(() => expect(screen.queryByText("Saved: 1–0")).toBeNull());
  expect(gone).toHaveLength(1);
});

test("a kick-off that was first is told, and the match is asked for anew", async () => {
  serve("put", "/api/v1/predictions/:id", () => {
    open = [];
    return refusal(409, "prediction_closed", "Predictions for this match are closed.");
  });
  const { user } = openAppAsMember("/predictions");

  await user.click((await card()).getByRole("button", { name: "Predict 0–0" }));

  expect(await screen.findByText("Predictions for this match are closed.")).toBeInTheDocument();
  expect(await screen.findByText("No matches to predict")).toBeInTheDocument();
});

test("without a network nothing is saved, which is said; it is saved once the network is back", async () => {
  const saved = serve("put", "/api/v1/predictions/:id", ({ body }) => saves(body, saved.length));
  const { user } = openAppAsMember("/predictions");
  const { getByRole, findByText } = await card();
  const network = vi.spyOn(navigator, "onLine", "get").mockReturnValue(false);
  window.dispatchEvent(new Event("offline"));

  await user.click(getByRole("button", { name: "One more: Enyimba" }));

  const toast = await screen.findByText("You are offline. Your prediction is not saved.");
  expect(await findByText("Not saved")).toBeInTheDocument();
  expect(saved).toHaveLength(0);

  network.mockReturnValue(true);
  window.dispatchEvent(new Event("online"));

  expect(await findByText("Saved: 1–0")).toBeInTheDocument();
  await waitFor(() => expect(toast).not.toBeInTheDocument());
  expect(saved).toHaveLength(1);
});

test.each([
  ["exact", 10, "Exact: +10 points"],
  ["result", 4, "Right result: +4 points"],
  ["wrong", 0, "Not this time"],
  ["void", 0, "Does not count: the match changed"],
] as const)("what came to %s reads so", async (outcome, points, text) => {
  const match = aMatch(-30, { state: "finished", goals: { home: 2, away: 1 } });
  closed = [aPrediction(match, { home: 2, away: 1, points, outcome })];
  openAppAsMember("/predictions?show=closed");

  expect(await screen.findByText(text)).toBeInTheDocument();
  expect(screen.getByText(/You predicted 2–1 · Full time/)).toBeInTheDocument();
});

test("while it is played, what it would win is told as it stands", async () => {
  const match = aMatch(0, { state: "live", half: 1, goals: { home: 1, away: 0 } });
  closed = [aPrediction(match, { home: 3, away: 1 })];
  openAppAsMember("/predictions?show=closed");

  expect(await screen.findByText("As it stands: +4")).toBeInTheDocument();
});

test("the board has its ranks, the own row stays in sight, and a full page leads on", async () => {
  const row = (rank: number, me = false) => ({
    rank,
    firstname: me ? "Ada Grace" : "Chioma",
    lastname: me ? "Obi" : "Eze",
    avatar: null,
    points: 100 - rank,
    exact: 2,
    results: 1,
    me,
  });
  const asked = serve("get", "/api/v1/predictions/board", () =>
    envelope(200, {
      rows: Array.from({ length: 50 }, (_, index) => row(index + 1)),
      me: row(77, true),
    }),
  );
  const { user } = openAppAsMember("/predictions?show=board");

  expect(await screen.findByRole("row", { name: /77.*Ada Obi|77.*Obi Ada/ })).toBeInTheDocument();
  expect(screen.getAllByText("2 exact, 1 right result")).toHaveLength(51);
  await user.click(screen.getByRole("button", { name: "Next" }));

  await waitFor(() => expect(asked.at(-1)?.url.searchParams.get("page")).toBe("2"));
  await user.click(screen.getByRole("radio", { name: "Season" }));
  await waitFor(() => expect(asked.at(-1)?.url.search).toBe("?scope=club&period=season&page=1"));
});
