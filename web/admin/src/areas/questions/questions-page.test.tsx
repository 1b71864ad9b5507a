import { screen, waitFor, within } from "@testing-library/react";
import { expect, test } from "vitest";
import { envelope, serve } from "@/test/server";
import { anOperator, openOffice, page } from "~/test/render";

const QUESTION = {
  ...{ id: "q-1", slug: "laws-goal-width", kind: "battle", club: null, clubId: null },
  ...{ topic: "laws", question: "How wide is a goal?", right: "7.32 m" },
  ...{ wrong: ["8.44 m", "6.40 m", "9.15 m"], explanation: "By law.", source: "Law 1" },
  ...{ difficulty: 1, createdAt: "2026-11-01T10:00:00Z", retiredAt: null, asked: 0 },
  ...{ rightShare: null, byRank: [], medianSeconds: null, flags: [] },
};

test("questions are narrowed to a club that is picked from the members' list", async () => {
  serve("get", "/api/v1/clubs", () => envelope(200, [{ name: "Arsenal" }, { name: "Enyimba" }]));
  const asked = serve("get", "/api/v1/admin/questions", () => page([QUESTION]));
  const { user } = openOffice("/questions", anOperator({ rights: ["games:read"] }));

  await user.selectOptions(
    await screen.findByRole("combobox", { name: "Club" }),
    await screen.findByRole("option", { name: "Enyimba" }),
  );

  await waitFor(() => expect(asked.at(-1)?.url.searchParams.get("club")).toBe("Enyimba"));
});

test("a question shows its answer, and is changed under its short name", async () => {
  serve("get", "/api/v1/clubs", () => envelope(200, []));
  serve("get", "/api/v1/admin/questions", () => page([QUESTION]));
  const saved = serve("post", "/api/v1/admin/questions", () => envelope(201, QUESTION, "Saved."));
  const { user } = openOffice("/questions", anOperator({ rights: ["games:read", "games:write"] }));
  expect(await screen.findByText("Answer: 7.32 m")).toBeVisible();

  await user.click(screen.getByRole("button", { name: "Change" }));
  const dialog = within(screen.getByRole("dialog", { name: "Change this question" }));
  const explanation = dialog.getByLabelText(/^Explanation/);
  await user.clear(explanation);
  await user.type(explanation, "Law 1 says so.");
  await user.click(dialog.getByRole("button", { name: "Save" }));

  await waitFor(() => expect(saved).toHaveLength(1));
  expect(saved[0]?.body).toMatchObject({
    slug: "laws-goal-width",
    replaces: "q-1",
    right: "7.32 m",
    wrong_3: "9.15 m",
    explanation: "Law 1 says so.",
    difficulty: 1,
  });
});

test("the preview of a question marks its right answer", async () => {
  serve("get", "/api/v1/clubs", () => envelope(200, []));
  serve("get", "/api/v1/admin/questions", () => page([QUESTION]));
  serve("post", "/api/v1/admin/questions/q-1/preview", () =>
    envelope(200, {
      question: QUESTION.question,
      options: JSON.stringify({ A: "8.44 m", B: "7.32 m", C: "6.40 m", D: "9.15 m" }),
      explanation: QUESTION.explanation,
    }),
  );
  const { user } = openOffice("/questions", anOperator({ rights: ["games:read", "games:write"] }));

  await user.click(await screen.findByRole("button", { name: "Preview" }));
  const phone = within(await screen.findByRole("dialog", { name: "As on a phone" }));

  const right = await phone.findByRole("button", { name: /right answer/ });
  expect(right).toHaveTextContent("7.32 m");
  expect(phone.getAllByRole("button", { name: /right answer/ })).toHaveLength(1);
});
