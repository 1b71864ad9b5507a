import { act, screen, waitFor } from "@testing-library/react";
import { beforeEach, expect, test, vi } from "vitest";
import { get } from "@/api/client";
import { session } from "@/lib/session/session";
import * as navigation from "@/lib/ui/navigation";
import { aSession, aUser } from "@/test/factories";
import { serveTheGames } from "@/test/games";
import { openApp, openAppAsMember } from "@/test/render";
import { envelope, refusal, serve } from "@/test/server";

const leaveTo = vi.mocked(navigation.leaveTo);

/** Removals of databases that the test completes. */
let removals: { name: string; onsuccess: () => void }[] = [];

beforeEach(() => {
  leaveTo.mockClear();
  removals = [];
  vi.stubGlobal("indexedDB", {
    databases: async () => [],
    deleteDatabase: (name: string) => {
      const removal = { name, onsuccess: () => undefined };
      removals.push(removal);
      return removal;
    },
  });
  serve("post", "/api/v1/sign-out", () => envelope(200, null));
});

const logout = () => screen.findByRole("button", { name: "Logout" });
const login = () => screen.queryByRole("button", { name: "Login" });

test("the sign-in shows when the last data of the member are gone", async () => {
  const { user } = openAppAsMember("/backups");

  await user.click(await logout());
  expect(session.read()).toBeNull();
  expect(screen.queryByRole("button", { name: "Logout" })).toBeNull();
  expect(login()).toBeNull();
  expect(removals.map(({ name }) => name)).toEqual(["kof-member-1"]);
  await act(async () => removals[0]?.onsuccess());

  await waitFor(() => expect(login()).toBeVisible());
});

test("a removal that does not end holds the sign-in up for two seconds at most", async () => {
  openAppAsMember("/backups");
  const button = await logout();
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });

  act(() => button.click());
  await act(() => vi.advanceTimersByTimeAsync(1000));
  expect(login()).toBeNull();
  await act(() => vi.advanceTimersByTimeAsync(1000));
  vi.useRealTimers(); // the screen itself loads in real time

  await waitFor(() => expect(login()).toBeVisible());
});

test("a dead token leads to the sign-in when its member's last data are gone", async () => {
  session.write(aSession());
  serve("get", "/api/v1/banks", () => refusal(401, "token_invalid", "Please sign in again."));

  await expect(get("/api/v1/banks", {})).rejects.toThrow("Please sign in again.");
  expect(session.read()).toBeNull();
  expect(leaveTo).not.toHaveBeenCalled();
  removals[0]?.onsuccess();

  await waitFor(() => expect(leaveTo).toHaveBeenCalledWith("/signin"));
});

test("who signs in over another member gets in when that one's last data are gone", async () => {
  session.write(aSession());
  serveTheGames();
  serve("get", "/api/v1/payment/wallet-balance/:id", () => envelope(200, { balance: 0 }));
  serve("post", "/api/v1/sign-in/username-password", () =>
    envelope(200, { user: aUser({ id: "bello" }), access_token: "of bello" }),
  );
  const { user } = openApp("/signin");
  await user.type(screen.getByLabelText("Email"), "bello@example.com");
  await user.type(screen.getByLabelText("Password"), "Terrace-2026");

  await user.click(screen.getByRole("button", { name: "Login" }));
  await waitFor(() => expect(session.read()?.id).toBe("bello"));
  expect(screen.queryByRole("heading", { name: "Dashboard" })).toBeNull();
  await act(async () => removals[0]?.onsuccess());

  expect(await screen.findByRole("heading", { name: "Dashboard" })).toBeInTheDocument();
});
