import { act, fireEvent, screen, waitFor, within } from "@testing-library/react";
import { HttpResponse } from "msw";
import { beforeEach, expect, test, vi } from "vitest";
import type { Moment } from "@/api/wire";
import { lowDataChoice } from "@/lib/device/low-data";
import { aMoment, aSession } from "@/test/factories";
import { openAppAsMember } from "@/test/render";
import { envelope, refusal, serve } from "@/test/server";

const FETCHED = "Your content has been fetched successfully.";

let moments: Moment[] = [];
const play = vi.fn();
const load = vi.fn();

beforeEach(() => {
  moments = [aMoment(), aMoment({ id: "moment-2", title: "The walk to the stadium" })];
  serve("get", "/api/v1/moment/post/user/:id", () => envelope(200, moments, FETCHED));
  play.mockReset().mockResolvedValue(undefined);
  load.mockReset();
  // jsdom plays nothing.
  vi.spyOn(HTMLMediaElement.prototype, "play").mockImplementation(play);
  vi.spyOn(HTMLMediaElement.prototype, "load").mockImplementation(load);
  vi.spyOn(HTMLMediaElement.prototype, "pause").mockImplementation(() => undefined);
});

function cardOf(title: string) {
  return screen.findByRole("article", { name: title });
}

test("the screen says what it is for, and loads", async () => {
  serve("get", "/api/v1/moment/post/user/:id", () => new Promise<never>(() => undefined));
  openAppAsMember("/posts");

  expect(await screen.findByText("Post your exciting football moment")).toBeInTheDocument();
  expect(screen.getByRole("heading", { level: 1, name: "Posts" })).toBeInTheDocument();
  expect(screen.getByText("Loading ...")).toBeInTheDocument();
  expect(screen.getByRole("button", { name: "Upload Content" })).toBeInTheDocument();
});

test("every moment has its thumbnail, title, date and Remove; no video is loaded", async () => {
  openAppAsMember("/posts");

  const card = await cardOf("The goal that took us up");

  expect(within(card).getByText("20 November 2026, 1:30 pm")).toBeInTheDocument();
  expect(within(card).getByRole("button", { name: /^Remove/ })).toBeInTheDocument();
  const picture = card.querySelector("img");
  expect(picture).toHaveAttribute("src", "/media/moments/goal.webp");
  expect(picture).toHaveAttribute("loading", "lazy");
  expect(screen.getAllByRole("article")).toHaveLength(2);
  expect(document.querySelector("video")).toBeNull();
  expect(await screen.findByText(FETCHED)).toBeInTheDocument();
});

test("without moments the way to the first one is offered", async () => {
  moments = [];
  const { user } = openAppAsMember("/posts");

  expect(await screen.findByText("No posts available")).toBeInTheDocument();
  const [, offered] = screen.getAllByRole("button", { name: "Upload Content" });
  await user.click(offered as HTMLElement);

  expect(screen.getByRole("dialog", { name: "Post Your Moment." })).toBeInTheDocument();
});

test("a refused fetch is information with the server's sentence, and can be tried again", async () => {
  serve("get", "/api/v1/moment/post/user/:id", () => refusal(503, "busy", "Too busy."));
  const { user } = openAppAsMember("/posts");

  expect(await screen.findByText("Fetch failed: Too busy.")).toBeInTheDocument();
  expect(screen.getByRole("alert")).toHaveTextContent("Too busy.");

  serve("get", "/api/v1/moment/post/user/:id", () => envelope(200, moments, FETCHED));
  await user.click(screen.getByRole("button", { name: "Try again" }));

  expect(await cardOf("The goal that took us up")).toBeInTheDocument();
  expect(await screen.findByText(FETCHED)).toBeInTheDocument();
});

test("a fetch without an answer is an error", async () => {
  serve("get", "/api/v1/moment/post/user/:id", () => HttpResponse.error());
  openAppAsMember("/posts");

  expect(
    await screen.findByText(/^Error fetching your content: No answer from the server/),
  ).toBeInTheDocument();
});

test("a member without an id is told so, and nothing is asked", async () => {
  const asked = serve("get", "/api/v1/moment/post/user/:id", () => envelope(200, []));
  openAppAsMember("/posts", aSession({ id: "" }));

  const toasts = await screen.findAllByText("An error occurred while fetching your content.");

  expect(toasts).toHaveLength(2);
  expect(asked).toHaveLength(0);
});

test("a click plays the moment at once, with its picture and text, and closing unloads it", async () => {
  const { user } = openAppAsMember("/posts");
  await cardOf("The goal that took us up");

  await user.click(screen.getByRole("button", { name: "Play: The goal that took us up" }));

  const player = screen.getByRole("dialog", { name: "The goal that took us up" });
  const video = player.querySelector("video") as HTMLVideoElement;
  expect(video).toHaveAttribute("src", "/media/moments/goal.mp4");
  expect(video).toHaveAttribute("poster", "/media/moments/goal.webp");
  expect(video).toHaveAttribute("preload", "none");
  expect(video).toHaveAttribute("controls");
  expect(play).toHaveBeenCalled();
  expect(within(player).getByText(/^Ninetieth minute/)).toBeInTheDocument();

  load.mockReset();
  await user.click(within(player).getByRole("button", { name: "Close" }));

  expect(screen.queryByRole("dialog")).toBeNull();
  expect(video).not.toHaveAttribute("src");
  expect(load).toHaveBeenCalledOnce();
});

test("a browser that refuses to begin by itself leaves the controls, without an error", async () => {
  play.mockRejectedValue(new DOMException("not allowed", "NotAllowedError"));
  const { user } = openAppAsMember("/posts");
  await cardOf("The goal that took us up");

  await user.click(screen.getByRole("button", { name: "Play: The goal that took us up" }));

  expect(document.querySelector("video")).toHaveAttribute("controls");
  expect(screen.queryByText("This video cannot be played.")).toBeNull();
});

test("where data is spared nothing begins by itself", async () => {
  lowDataChoice.write(true);
  const { user } = openAppAsMember("/posts");
  await cardOf("The goal that took us up");

  await user.click(screen.getByRole("button", { name: "Play: The goal that took us up" }));

  expect(document.querySelector("video")).toHaveAttribute("preload", "none");
  expect(play).not.toHaveBeenCalled();
});

test("a video that cannot play says so and can be tried again", async () => {
  const { user } = openAppAsMember("/posts");
  await cardOf("The goal that took us up");
  await user.click(screen.getByRole("button", { name: "Play: The goal that took us up" }));

  fireEvent.error(document.querySelector("video") as HTMLVideoElement);
  expect(screen.getByRole("alert")).toHaveTextContent("This video cannot be played.");
  await user.click(screen.getByRole("button", { name: "Try again" }));

  expect(document.querySelector("video")).toHaveAttribute("src", "/media/moments/goal.mp4");
});

test("Remove asks first; then the list is loaded anew and one toast tells it", async () => {
  const removed = serve("delete", "/api/v1/moment/post/delete/:id", () => {
    moments = moments.filter(({ id }) => id !== "moment-1");
    return envelope(200, null, FETCHED);
  });
  const { user } = openAppAsMember("/posts");
  const card = await cardOf("The goal that took us up");
  await user.click(await screen.findByRole("button", { name: "Dismiss" }));

  await user.click(within(card).getByRole("button", { name: /^Remove/ }));
  const question = screen.getByRole("dialog", { name: "Remove this post?" });
  expect(removed).toHaveLength(0);
  await user.click(within(question).getByRole("button", { name: "Remove" }));

  await waitFor(() => expect(card).not.toBeInTheDocument());
  expect(removed[0]?.url.pathname).toBe("/api/v1/moment/post/delete/moment-1");
  expect(await screen.findAllByText(FETCHED)).toHaveLength(1);
  expect(screen.queryByRole("dialog")).toBeNull();
  expect(screen.getAllByRole("article")).toHaveLength(1);
});

test("a moment whose removal is not confirmed stays", async () => {
  const removed = serve("delete", "/api/v1/moment/post/delete/:id", () => envelope(200, null));
  const { user } = openAppAsMember("/posts");
  const card = await cardOf("The goal that took us up");
  await user.click(within(card).getByRole("button", { name: /^Remove/ }));

  await user.click(screen.getByRole("button", { name: "Close" }));

  expect(removed).toHaveLength(0);
  expect(card).toBeInTheDocument();
});

test("a refused removal is told with the server's sentence", async () => {
  serve("delete", "/api/v1/moment/post/delete/:id", () => refusal(404, "not_found", "Not found."));
  const { user } = openAppAsMember("/posts");
  const card = await cardOf("The goal that took us up");
  await user.click(within(card).getByRole("button", { name: /^Remove/ }));

  await user.click(within(screen.getByRole("dialog")).getByRole("button", { name: "Remove" }));

  expect(await screen.findByText("Fetch failed: Not found.")).toBeInTheDocument();
  await act(async () => undefined);
  expect(card).toBeInTheDocument();
});
