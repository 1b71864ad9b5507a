import { screen, within } from "@testing-library/react";
import { expect, test } from "vitest";
import { envelope, refusal, serve } from "@/test/server";
import { anOperator, openOffice, page } from "~/test/render";

const SEASONS = "/api/v1/admin/seasons";
const MASTER = anOperator({ rights: ["games:read", "games:write"] });
const LATEST = {
  id: "0199f2a4-0000-7000-8000-0000000000a9",
  name: "Season 1",
  startsAt: "2026-01-01T12:00:00.000Z",
  endsAt: "2026-06-01T12:00:00.000Z",
  pointPerQuestion: 10,
  questionTimeLimit: 15,
  questionsPerDay: 5,
  state: "over",
  version: 4,
  ranks: [
    { rank: "rookie", thresholdPoint: 50, startsAt: "2026-01-01T12:00:00.000Z", endsAt: null },
  ],
};

test("a new season takes over the rules and the ladder, and the server's sentences are shown", async () => {
  serve("get", SEASONS, () => page([LATEST]));
  const sent = serve("post", SEASONS, () =>
    sent.length === 1
      ? refusal(422, "validation_failed", "Too few", {
          fields: { "ranks.1.thresholdPoint": "Too few" },
        })
      : envelope(201, LATEST, "Saved."),
  );
  const { user } = openOffice("/seasons", MASTER);
  await screen.findByText("Rookie 50");
  await user.click(screen.getByRole("button", { name: "New season" }));
  const dialog = within(await screen.findByRole("dialog", { name: "New season" }));

  await user.type(dialog.getByLabelText(/Name/), "Season 2");
  await user.type(dialog.getByLabelText(/^Begins/), "2027-01-01T13:00");
  await user.type(dialog.getByLabelText(/^Ends/), "2027-06-01T13:00");
  await user.click(dialog.getByRole("button", { name: "Another rank" }));
  const second = within(dialog.getByRole("group", { name: "Rank 2" }));
  await user.type(second.getByLabelText(/Rank/), "super-fan");
  await user.type(second.getByLabelText(/Points/), "120");
  await user.click(dialog.getByRole("button", { name: "Save" }));

  expect(await dialog.findByText("2. Threshold point: Too few")).toBeInTheDocument();
  expect(sent[0]?.body).toMatchObject({
    name: "Season 2",
    startsAt: "2027-01-01T13:00:00+01:00",
    pointPerQuestion: 10,
    ranks: [
      { rank: "rookie", thresholdPoint: 50 },
      { rank: "super-fan", thresholdPoint: 120 },
    ],
  });
});

test("a season that somebody else has changed meanwhile is shown before it is saved", async () => {
  let now: object = LATEST;
  serve("get", SEASONS, () => page([now]));
  const sent = serve("put", `${SEASONS}/:id`, () => {
    now = { ...LATEST, questionsPerDay: 7, version: 5 };
    return sent.length === 1
      ? refusal(409, "stale", "It was changed meanwhile.")
      : envelope(200, { ...now, version: 6 }, "Saved.");
  });
  const { user } = openOffice("/seasons", MASTER);
  await user.click(await screen.findByRole("button", { name: "Change" }));
  const dialog = within(await screen.findByRole("dialog", { name: "Change Season 1" }));

  await user.type(dialog.getByLabelText(/Name/), "b");
  await user.click(dialog.getByRole("button", { name: "Save" }));
  await user.click(await dialog.findByRole("button", { name: /Keep/ }));
  await user.click(dialog.getByRole("button", { name: "Save" }));

  expect(await screen.findByText("Saved.")).toBeInTheDocument();
  expect(sent.map(({ body }) => body)).toMatchObject([{ version: 4 }, { version: 5 }]);
});
