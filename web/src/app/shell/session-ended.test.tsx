import { act, screen, waitFor } from "@testing-library/react";
import { beforeEach, expect, test, vi } from "vitest";
import { session, takeSignOutMessage } from "@/lib/session/session";
import * as navigation from "@/lib/ui/navigation";
import { type FakeSocket, shellSockets } from "@/test/fake-socket";
import { openApp, openAppAsMember } from "@/test/render";
import { envelope, refusal, serve } from "@/test/server";

const leaveTo = vi.mocked(navigation.leaveTo);

const ENDED = "Your session has ended. Please sign in again.";

beforeEach(() => {
  shellSockets.length = 0;
  leaveTo.mockClear();
});

/** A screen without pending work. */
async function openIdleScreen(): Promise<void> {
  const asked = serve("get", "/api/v1/notifications/unread", () => envelope(200, { unread: 0 }));
  openAppAsMember("/backups");
  await screen.findByRole("button", { name: "Logout" });
  await waitFor(() => expect(asked).toHaveLength(1));
}

async function refusedLine(status: number): Promise<FakeSocket> {
  await waitFor(() => expect(shellSockets.some(({ closed }) => !closed)).toBe(true));
  const socket = shellSockets.findLast(({ closed }) => !closed) as FakeSocket;
  socket.active = false;
  const error = Object.assign(new Error("refused"), { data: { status } });
  await act(async () => socket.emitToClient("connect_error", error));
  return socket;
}

test("an idle screen is left as soon as the line is refused, with the server's sentence", async () => {
  await openIdleScreen();
  serve("get", "/api/v1/notifications/unread", () => refusal(401, "token_invalid", ENDED));

  await refusedLine(401);

  await waitFor(() => expect(leaveTo).toHaveBeenCalledWith("/signin"));
  expect(session.read()).toBeNull();
  expect(takeSignOutMessage()).toBe(ENDED);
  expect(takeSignOutMessage()).toBeNull();
});

test("a line that is refused for anything else leaves the member where they are", async () => {
  await openIdleScreen();
  const asked = serve("get", "/api/v1/notifications/unread", () => envelope(200, { unread: 0 }));

  await refusedLine(409);

  await waitFor(() => expect(asked).toHaveLength(1));
  expect(leaveTo).not.toHaveBeenCalled();
  expect(session.read()).not.toBeNull();
});

test("a suspended member reads the server's sentence when they sign in", async () => {
  const suspended = "This account is suspended. Please contact your club.";
  serve("post", "/api/v1/sign-in/username-password", () => refusal(409, "suspended", suspended));
  const { user } = openApp("/signin");
  await user.type(screen.getByLabelText("Email"), "ada@example.com");
  await user.type(screen.getByLabelText("Password"), "Terrace-2026");

  await user.click(screen.getByRole("button", { name: "Login" }));

  expect(await screen.findByRole("alert")).toHaveTextContent(suspended);
  expect(session.read()).toBeNull();
});
