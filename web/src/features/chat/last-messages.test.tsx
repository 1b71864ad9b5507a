import { act, screen, waitFor, within } from "@testing-library/react";
import { expect, test, vi } from "vitest";
import { aMessage, chatting, messages, receive, rows, serveTheChat } from "@/test/chat";
import { serveTheGames } from "@/test/games";
import { envelope, serve } from "@/test/server";

async function leaveTheChat(user: Awaited<ReturnType<typeof chatting>>["user"]) {
  serve("get", "/api/v1/payment/wallet-balance/:id", () => envelope(200, { balance: 0 }));
  serveTheGames();
  await user.click(within(screen.getByRole("navigation", { name: "Shortcuts" })).getByText("Home"));
  await waitFor(() => expect(screen.queryByRole("log")).toBeNull());
}

test("without a network the newest messages of the last visit are there, and nothing to retry", async () => {
  const chat = serveTheChat();
  chat.stored["Enyimba"] = messages(1, 60);
  const { user, socket } = await chatting();
  await receive(socket, "message", aMessage(61));
  await leaveTheChat(user);

  vi.spyOn(navigator, "onLine", "get").mockReturnValue(false);
  act(() => void window.dispatchEvent(new Event("offline")));
  await user.click(screen.getAllByRole("link", { name: /^Chats/ })[0] as HTMLElement);

  await screen.findByRole("log");
  expect(rows().join()).toContain("Message 61");
  expect(rows().join()).not.toContain("Message 11,");
  expect(screen.queryByText("Couldn't load messages.")).toBeNull();
  expect(screen.getByText(/You are offline. Messages will be sent/)).toBeVisible();
});

test("a failure with a network is told above them, and can be tried again", async () => {
  const chat = serveTheChat();
  chat.stored["Enyimba"] = messages(1, 3);
  const { user } = await chatting();
  await leaveTheChat(user);

  chat.isDown = true;
  await user.click(screen.getAllByRole("link", { name: /^Chats/ })[0] as HTMLElement);

  expect(await screen.findByText("Couldn't load messages.")).toBeVisible();
  expect(rows().join()).toContain("Message 3");
  chat.isDown = false;
  chat.stored["Enyimba"] = messages(1, 4);
  await user.click(screen.getByRole("button", { name: "Retry" }));

  await waitFor(() => expect(rows().join()).toContain("Message 4"));
  expect(screen.queryByText("Couldn't load messages.")).toBeNull();
});
