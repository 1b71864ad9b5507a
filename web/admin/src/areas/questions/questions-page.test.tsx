import { screen, waitFor } from "@testing-library/react";
import { expect, test } from "vitest";
import { envelope, serve } from "@/test/server";
import { anOperator, openOffice, page } from "~/test/render";

test("questions are narrowed to a club that is picked from the members' list", async () => {
  serve("get", "/api/v1/clubs", () => envelope(200, [{ name: "Arsenal" }, { name: "Enyimba" }]));
  const asked = serve("get", "/api/v1/admin/questions", () => page([]));
  const { user } = openOffice("/questions", anOperator({ rights: ["games:read"] }));

  await user.selectOptions(
    await screen.findByRole("combobox", { name: "Club" }),
    await screen.findByRole("option", { name: "Enyimba" }),
  );

  await waitFor(() => expect(asked.at(-1)?.url.searchParams.get("club")).toBe("Enyimba"));
});
