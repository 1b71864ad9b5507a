import { screen } from "@testing-library/react";
import { expect, test } from "vitest";
import { serve } from "@/test/server";
import { anOperator, openOffice, page } from "~/test/render";

const OWNER = anOperator({ rights: ["operators:write"] });

const aRow = (facts: object = {}) => ({
  id: "0199f2a4-0000-7000-8000-0000000000f5",
  userId: "0199f2a4-0000-7000-8000-0000000000f6",
  name: "Kemi Ade",
  email: "kemi@example.com",
  roles: ["shop"],
  disabled: false,
  canSignIn: true,
  createdAt: "2026-11-25T08:00:00Z",
  version: 2,
  ...facts,
});

test.each([
  ["Change roles", "Change roles of Kemi Ade", {}],
  ["Disable", "Disable Kemi Ade", {}],
  ["Let in again", "Let Kemi Ade in again", { disabled: true }],
])("the dialog of %s says whom it is about", async (button, name, facts) => {
  serve("get", "/api/v1/admin/operators", () => page([aRow(facts)]));
  const { user } = openOffice("/operators", OWNER);

  await user.click(await screen.findByRole("button", { name: button }));

  expect(screen.getByRole("dialog", { name })).toBeInTheDocument();
});
