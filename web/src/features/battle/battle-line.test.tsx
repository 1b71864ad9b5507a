import { act, screen, waitFor } from "@testing-library/react";
import { beforeEach, expect, test, vi } from "vitest";
import { connect, line, play, question, receive, result, serveTheZone } from "@/test/battle";
import { inSeconds } from "@/test/factories";
import { type FakeSocket, sockets } from "@/test/fake-socket";
import { openAppAsMember } from "@/test/render";
import { soon } from "@/test/soon";

beforeEach(() => {
  serveTheZone();
});

test("a battle ground that does not answer is told after eight seconds, with a way back", async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true });
  const { user } = openAppAsMember("/battle-zone");
  await user.click(await screen.findByRole("button", { name: "Enter Battle Ground" }));
  await line();
  expect(screen.queryByText(/is not responding/)).toBeNull();

  await act(async () => vi.advanceTimersByTimeAsync(8000));
  expect(screen.getByText(/^The battle ground is not responding\./)).toBeInTheDocument();
  expect(screen.getByRole("button", { name: "Reconnect" })).toBeInTheDocument();
  await user.click(screen.getByRole("button", { name: "Back" }));

  expect(await screen.findByRole("button", { name: "Enter Battle Ground" })).toBeInTheDocument();
});

test("entering opens a line of its own with token and identity, and starts the timer", async () => {
  const { socket } = await play();

  expect(socket.namespace).toBe("/battle-ground");
  expect(socket.options).toMatchObject({
    auth: { token: "token-of-ada" },
    query: { userId: "member-1", clubId: "club-1" },
    forceNew: true,
    reconnectionAttempts: 3,
    transports: ["websocket"],
  });
  expect(socket.of("enter_battle_zone")[0]?.content).toEqual({
    userId: "member-1",
    clubId: "club-1",
    firstName: "Ada Grace",
    lastName: "Obi",
    resume: false,
  });
  expect(socket.of("start_timer").map(({ content }) => content)).toEqual([{ questionId: "q1" }]);
});

test("after a drop the line enters again with resume, and sends what was pressed meanwhile", async () => {
  vi.useFakeTimers({ toFake: ["Date"] });
  serveTheZone(); // with the time at which the clock stands
  const { user, socket } = await play();

  await act(async () => socket.emitToClient("disconnect", "transport close"));
  expect(screen.getByText(/Connecting\.\.\./)).toBeInTheDocument();
  await user.click(screen.getByRole("button", { name: /Chelsea/ }));
  expect(socket.of("answer_question")).toHaveLength(0);
  await connect(socket);
  expect(socket.of("enter_battle_zone")[1]?.content).toMatchObject({ resume: true });
  expect(socket.of("answer_question")).toHaveLength(0);
  await receive(
    socket,
    "new_question",
    question("q1", { resumed: true, deadlineAt: inSeconds(6) }),
  );

  expect(socket.of("answer_question").map(({ content }) => content["answer"])).toEqual(["C"]);
  expect(screen.getByRole("timer")).toHaveAccessibleName("6 seconds left");
});

test("what was pressed during a drop is not sent when the question is over", async () => {
  const { user, socket } = await play();
  await act(async () => socket.emitToClient("disconnect", "transport close"));
  await user.click(screen.getByRole("button", { name: /Chelsea/ }));

  await connect(socket);
  await receive(
    socket,
    "answer_result",
    result("q1", { isCorrect: false, timedOut: true, answer: null }),
  );
  await act(async () => socket.of("enter_battle_zone")[1]?.acknowledge({ state: "result" }));

  expect(socket.of("answer_question")).toHaveLength(0);
  expect(screen.getByRole("dialog", { name: "Wrong Move!" })).toHaveTextContent(
    "The time ran out.",
  );
});

test("three failed tries offer Reconnect, and the network's return connects by itself", async () => {
  const { user, socket } = await play();
  await act(async () => socket.emitToClient("disconnect", "transport close"));
  await act(async () => socket.emitFromManager("reconnect_failed"));
  expect(await screen.findByText("Unable to initiate a connection")).toBeInTheDocument();

  await user.click(screen.getByRole("button", { name: "Reconnect" }));
  await waitFor(() => expect(sockets.at(-1)).not.toBe(socket));
  const second = await line();
  await act(async () => second.emitFromManager("reconnect_failed"));
  await act(async () => window.dispatchEvent(new Event("online")));
  await waitFor(() => expect(sockets.at(-1)).not.toBe(second));
  const third = await line();
  await connect(third);

  expect(third.of("enter_battle_zone")[0]?.content).toMatchObject({ resume: true });
});

test("a line that cannot be opened on entering says so", async () => {
  const { user } = openAppAsMember("/battle-zone");
  await user.click(await screen.findByRole("button", { name: "Enter Battle Ground" }));
  const socket = await line();

  await act(async () => socket.emitFromManager("reconnect_failed"));

  await waitFor(() =>
    expect(screen.getAllByText("Unable to initiate a connection")).toHaveLength(2),
  );
  expect(screen.getByRole("button", { name: "Reconnect" })).toBeInTheDocument();
});

test("a line that ticked and fell silent is opened anew", async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true });
  const { socket } = await play();
  await receive(socket, "time_update", { remainingTime: 14 });

  await act(async () => vi.advanceTimersByTimeAsync(5100));
  await soon(() => expect(sockets.at(-1)).not.toBe(socket));

  expect(socket.closed).toBe(true);
});

test("a reload in the middle comes back with resume to the same question", async () => {
  vi.useFakeTimers({ toFake: ["Date"] });
  serveTheZone(); // with the time at which the clock stands
  const first = await play();
  first.unmount();
  expect(first.socket.closed).toBe(true);

  openAppAsMember("/battle-zone");
  const socket = await line();
  await connect(socket);
  expect(socket.of("enter_battle_zone")[0]?.content).toMatchObject({ resume: true });
  await receive(
    socket,
    "new_question",
    question("q1", { resumed: true, deadlineAt: inSeconds(9) }),
  );

  expect(await screen.findByRole("heading", { name: "Who won q1?" })).toBeInTheDocument();
  expect(screen.getByRole("timer")).toHaveAccessibleName("9 seconds left");
});

test("a reload after the answer shows the result with the words of its question", async () => {
  const first = await play();
  first.unmount();
  openAppAsMember("/battle-zone");
  const socket = await line();
  await connect(socket);

  await receive(socket, "answer_result", result("q1", { isCorrect: false, answer: "B" }));
  await act(async () => socket.of("enter_battle_zone")[0]?.acknowledge({ state: "result" }));

  expect(await screen.findByRole("dialog", { name: "Wrong Move!" })).toHaveTextContent("Ajax");
});

test("playing on another device ends this seat until it is taken back", async () => {
  const { user, socket } = await play();
  await receive(socket, "session_taken_over", {
    message: "You opened Battle Zone on another device",
  });
  expect(screen.getByText("You opened Battle Zone on another device")).toBeInTheDocument();
  expect(socket.closed).toBe(true);
  await act(async () => window.dispatchEvent(new Event("online")));
  expect(sockets.filter(({ closed }) => !closed)).toHaveLength(0);

  await user.click(screen.getByRole("button", { name: "Play here instead" }));
  const mine = await line();
  await connect(mine);

  expect(mine.of("enter_battle_zone")[0]?.content).toMatchObject({ resume: true });
});

test("an acknowledgement that never comes opens a new line", async () => {
  const { user, socket } = await play();
  await user.click(screen.getByRole("button", { name: /Ajax/ }));

  await act(async () => socket.of("answer_question")[0]?.lose());
  await waitFor(() => expect(sockets.at(-1)).not.toBe(socket));
  const second = await line();
  await connect(second);
  await receive(second, "new_question", question("q1", { resumed: true }));

  expect(second.of("answer_question").map(({ content }) => content["answer"])).toEqual(["A"]);
});

test("a server that hangs up is called again", async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true });
  const { socket } = await play();

  await act(async () => socket.emitToClient("disconnect", "io server disconnect"));
  await act(async () => vi.advanceTimersByTimeAsync(3100));
  await soon(() => expect(sockets.at(-1)).not.toBe(socket));
  const second = sockets.at(-1) as FakeSocket;
  await connect(second);

  expect(second.of("enter_battle_zone")[0]?.content).toMatchObject({ resume: true });
});
