import { screen, waitFor, within } from "@testing-library/react";
import { http } from "msw";
import { beforeEach, expect, test } from "vitest";
import { dayOf } from "@/lib/format/dates";
import { envelope, serve, server } from "@/test/server";
import { anOperator, openOffice, page } from "~/test/render";

const MASTER = anOperator({ rights: ["games:read", "games:write"] });
const DAY = "/api/v1/admin/trivia/schedule/:day/:club";
const questions = [1, 2, 3].map((number) => ({
  id: `0199f2a4-0000-7000-8000-00000000000${number}`,
  slug: `q-${number}`,
  question: `Question ${number}?`,
  club: number === 3 ? "Arsenal" : null,
}));

const drawnDay = { frozen: true, questions: questions.slice(0, 1) };

beforeEach(() => {
  serve("get", "/api/v1/clubs", () => envelope(200, []));
  serve("get", "/api/v1/admin/questions", () => page(questions));
  server.use(
    http.get(DAY, ({ params }) => {
      const isToday = params["day"] === dayOf(Date.now());
      const found = isToday ? drawnDay : { frozen: false, questions: [] };
      const questionIds = found.questions.map(({ id }) => id);
      return envelope(200, { day: params["day"], clubId: null, questionIds, ...found });
    }),
  );
});

test("the days are listed; what was drawn says so and stands", async () => {
  openOffice("/trivia", MASTER);

  const drawn = (await screen.findByText("Question 1?")).closest("li.schedule-day") as HTMLElement;

  expect(drawn).toHaveTextContent("Today");
  expect(within(drawn).getByText("Drawn")).toBeInTheDocument();
  expect(within(drawn).queryByRole("button")).toBeNull();
  await waitFor(() => expect(screen.getAllByText("Random")).toHaveLength(13));
});

test("a day is given the questions that fit, in their order", async () => {
  const sent = serve("put", DAY, () =>
    envelope(200, { questionIds: [], questions: [], frozen: false }, "Saved."),
  );
  const { user } = openOffice("/trivia", MASTER);
  const [set] = await screen.findAllByRole("button", { name: "Choose" });
  await user.click(set as HTMLElement);
  const dialog = within(await screen.findByRole("dialog", { name: /^Questions: / }));

  await user.click(await dialog.findByRole("button", { name: "Add: Question 1?" }));
  await user.click(dialog.getByRole("button", { name: "Add: Question 2?" }));
  expect(dialog.queryByText("Question 3?")).toBeNull();
  await user.click(dialog.getByRole("button", { name: "Earlier: Question 2?" }));
  await user.click(dialog.getByRole("button", { name: "Save" }));

  await expect
    .poll(() => sent[0]?.body)
    .toEqual({
      questionIds: [questions[1]?.id, questions[0]?.id],
    });
  expect(sent[0]?.url.pathname).toMatch(/\/all$/);
});

test("a day that a retired question makes shorter says so, and what to do", async () => {
  const found = questions.slice(0, 2).map((one, place) => ({ ...one, retired: place === 0 }));
  server.use(
    http.get(DAY, ({ params }) => {
      const isToday = params["day"] === dayOf(Date.now());
      const day = { day: params["day"], clubId: null, frozen: isToday, questions: found };
      return envelope(200, { ...day, questionIds: found.map(({ id }) => id) });
    }),
  );
  const { user } = openOffice("/trivia", MASTER);

  const notes = () => screen.queryAllByText(/1 question of this day will not be asked/);
  await waitFor(() => expect(notes().length).toBe(13)); // today was drawn with it
  expect(notes()[0]).toHaveTextContent("since retired. The day asks only 1. Press Change");
  const [change] = screen.getAllByRole("button", { name: "Change" });
  await user.click(change as HTMLElement);
  const dialog = within(await screen.findByRole("dialog"));
  expect(dialog.getByText("Question 1?").closest("li")).toHaveTextContent("Retired");
});
