import { screen, waitFor, within } from "@testing-library/react";
import { beforeEach, expect, test } from "vitest";
import { session } from "@/lib/session/session";
import { play, serveTheZone } from "@/test/battle";
import { line, receive, serveTheChat } from "@/test/chat";
import { aTriviaAttempt, triviaQuestions } from "@/test/factories";
import { sockets } from "@/test/fake-socket";
import { aProfile } from "@/test/profile";
import { openAppAsMember } from "@/test/render";
import { envelope, refusal, type SeenRequest, serve } from "@/test/server";

const MOVED = {
  club: "club-2",
  clubName: "Arsenal",
  emblem: "/emblems/club-2.svg",
  clubColours: ["#EF0107", "#FFFFFF"] as [string, string],
};

const unknown = () => refusal(404, "not_found", "We could not find what you asked for.");

let profiles: SeenRequest[] = [];

/** An operator changed the club while the browser's stored member still has the old one. */
beforeEach(() => {
  sockets.length = 0;
  profiles = serve("get", "/api/v1/users/:id", () => envelope(200, aProfile(MOVED)));
});

test("the quest of the new club is opened and handed in under its id", async () => {
  const isNew = ({ url }: SeenRequest) => url.pathname.includes("/club-2/");
  const opened = serve("get", "/api/v1/question/daily-trivial-question/:club/:id", (request) =>
    isNew(request) ? envelope(200, triviaQuestions().slice(0, 1)) : unknown(),
  );
  serve("get", "/api/v1/question/attempted-daily-trivial-question/:club/:id", (request) =>
    isNew(request) ? envelope(200, aTriviaAttempt()) : unknown(),
  );
  const submits = serve("post", "/api/v1/question/submit-trivia-question", () =>
    envelope(201, { point: 5, points: 5, correct: 1, total: 1, review: [], streak: 1 }),
  );
  const { user } = openAppAsMember("/trivia-questions");

  await user.click(await screen.findByRole("radio", { name: "Aba" }));
  await user.click(screen.getByRole("button", { name: "Submit" }));
  await user.click(within(screen.getByRole("dialog")).getByRole("button", { name: "Submit" }));

  await waitFor(() => expect(submits).toHaveLength(1));
  expect(submits[0]?.body).toMatchObject({ clubId: "club-2" });
  expect(isNew(opened.at(-1) as SeenRequest)).toBe(true);
  expect(session.read()).toMatchObject(MOVED);
});

test("the chat joins the new club's room and connects under its id", async () => {
  const chat = serveTheChat();
  const joins = serve("post", "/api/v1/join-chat", ({ body }) =>
    JSON.stringify(body).includes("Arsenal") ? envelope(200, { rooms: chat.rooms }) : unknown(),
  );
  openAppAsMember("/chats");

  const socket = await line();

  expect(joins.at(0)?.body).toEqual({ clubName: "Enyimba", id: "member-1" });
  expect(joins.at(-1)?.body).toEqual({ clubName: "Arsenal", id: "member-1" });
  expect(socket.options).toMatchObject({ query: { userId: "member-1", clubId: "club-2" } });
});

test("the battle ground is entered again under the new club's id once the old was refused", async () => {
  serveTheZone();
  const { socket } = await play();
  await receive(socket, "disconnect", "transport close");
  socket.active = false;

  await receive(socket, "connect_error", Object.assign(new Error(), { data: { status: 404 } }));

  await waitFor(() => expect(sockets.at(-1)).not.toBe(socket));
  const again = await line();
  expect(again.options).toMatchObject({ query: { userId: "member-1", clubId: "club-2" } });
  await receive(again, "connect");
  expect(again.of("enter_battle_zone")[0]?.content).toMatchObject({
    clubId: "club-2",
    resume: true,
  });
});

test("who is of the stored club still is told that nothing was found, and asks no more", async () => {
  profiles = serve("get", "/api/v1/users/:id", unknown);
  const opened = serve("get", "/api/v1/question/daily-trivial-question/:club/:id", unknown);
  serve("get", "/api/v1/question/attempted-daily-trivial-question/:club/:id", unknown);
  openAppAsMember("/trivia-questions");

  await waitFor(() => expect(profiles).not.toHaveLength(0));
  expect((await screen.findAllByText("We could not find what you asked for."))[0]).toBeVisible();

  // React's strict mode mounts twice.
  expect(opened.length).toBeLessThanOrEqual(2);
  expect(profiles.length).toBeLessThanOrEqual(2);
  expect(session.read()?.club).toBe("club-1");
});
