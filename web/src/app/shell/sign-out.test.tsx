import { screen, waitFor } from "@testing-library/react";
import { expect, test, vi } from "vitest";
import { get } from "@/api/client";
import { leaveTo } from "@/lib/navigation";
import { session } from "@/lib/session";
import { aSession } from "@/test/factories";
import { openAppAsMember } from "@/test/render";
import { refusal, serve } from "@/test/server";

vi.mock("@/lib/navigation", () => ({ leaveTo: vi.fn() }));

test("logging out without a network leaves nothing of the member", async () => {
  serve("post", "/api/v1/sign-out", () => new Promise<never>(() => undefined));
  const { user } = openAppAsMember("/calendar");
  localStorage.setItem("cart", "[]");
  localStorage.setItem("theme", JSON.stringify("dark"));
  sessionStorage.setItem("chat-draft", JSON.stringify("half a sentence"));

  await user.click(await screen.findByRole("button", { name: "Logout" }));

  expect(Object.keys(localStorage)).toEqual(["theme"]);
  expect(sessionStorage).toHaveLength(0);
  expect(session.read()).toBeNull();
  expect(leaveTo).toHaveBeenCalledWith("/signin");
});

test("a late refusal of an older token leaves the newer session alone", async () => {
  let answer: () => void = () => undefined;
  const held = new Promise<void>((resolve) => {
    answer = resolve;
  });
  serve("get", "/api/v1/banks", async () => {
    await held;
    return refusal(401, "token_invalid", "Your session has ended. Please sign in again.");
  });
  session.write(aSession({ userToken: "the older token" }));
  const late = get("/api/v1/banks", {}).catch((error: unknown) => error);

  session.write(aSession({ userToken: "the newer token" }));
  answer();

  await waitFor(async () => expect(await late).toBeInstanceOf(Error));
  expect(session.read()?.userToken).toBe("the newer token");
});
