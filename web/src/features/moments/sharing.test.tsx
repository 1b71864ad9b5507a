import { screen, waitFor, within } from "@testing-library/react";
import { HttpResponse } from "msw";
import { beforeEach, expect, test, vi } from "vitest";
import type { Moment, SharedMoment } from "@/api/wire";
import { lowDataChoice } from "@/lib/device/low-data";
import { aMoment, aSharedMoment } from "@/test/factories";
import { openAppAsMember } from "@/test/render";
import { envelope, refusal, serve } from "@/test/server";

const TITLE = "The drums before kick-off";

let own: Moment[] = [];
let feed: SharedMoment[] = [];
const play = vi.fn();

beforeEach(() => {
  own = [aMoment()];
  feed = [aSharedMoment()];
  serve("get", "/api/v1/moment/post/user/:id", () => envelope(200, own));
  serve("get", "/api/v1/moment/feed", () => envelope(200, feed));
  play.mockReset().mockResolvedValue(undefined);
  vi.spyOn(HTMLMediaElement.prototype, "play").mockImplementation(play);
  vi.spyOn(HTMLMediaElement.prototype, "load").mockImplementation(() => undefined);
  vi.spyOn(HTMLMediaElement.prototype, "pause").mockImplementation(() => undefined);
});

async function openClub() {
  const { user } = openAppAsMember("/posts");
  await user.click(await screen.findByRole("tab", { name: "Enyimba" }));
  return user;
}

function applause() {
  return screen.findByRole("button", { name: new RegExp(`^Applaud: ${TITLE}`) });
}

test("My moments is open first; arrows lead to the club's and back", async () => {
  const { user } = openAppAsMember("/posts");
  const mine = await screen.findByRole("tab", { name: "My moments", selected: true });

  mine.focus();
  await user.keyboard("{ArrowRight}");

  expect(screen.getByRole("tab", { name: "Enyimba", selected: true })).toHaveFocus();
  expect(screen.getByRole("tabpanel", { name: "Enyimba" })).toBeInTheDocument();
  await user.keyboard("{Home}");
  expect(screen.getByRole("tab", { name: "My moments" })).toHaveFocus();
});

test("a moment is shared with the club, and taken back", async () => {
  const answer = (sharedAt: string | null) => () => {
    own = [aMoment({ sharedAt })];
    return envelope(200, own[0]);
  };
  const shared = serve("put", "/api/v1/moment/:id/share", answer("2026-11-20T13:00:00Z"));
  const undone = serve("delete", "/api/v1/moment/:id/share", answer(null));
  const { user } = openAppAsMember("/posts");

  await user.click(await screen.findByRole("button", { name: /^Share with my club/ }));
  expect(await screen.findByText("Shared with Enyimba.")).toBeInTheDocument();
  await user.click(await screen.findByRole("button", { name: /^Stop sharing/ }));

  expect(await screen.findByRole("button", { name: /^Share with my club/ })).toBeEnabled();
  expect([shared, undone].map(({ length }) => length)).toEqual([1, 1]);
});

test("a moment is opened to anyone with the link, says what they see, and is closed", async () => {
  const sent = serve("put", "/api/v1/moment/:id/share", ({ body }) => {
    const isPublic = (body as { public: boolean }).public;
    const at = "2026-11-20T13:00:00Z";
    own = [aMoment({ sharedAt: at, publicAt: isPublic ? at : null })];
    return envelope(200, own[0]);
  });
  const { user } = openAppAsMember("/posts");
  await user.click(await screen.findByRole("button", { name: /^Share by link/ }));
  const dialog = within(await screen.findByRole("dialog", { name: "The goal that took us up" }));
  const choice = () => dialog.getByRole("switch", { name: "Anyone with the link" });
  expect(choice()).not.toBeChecked();
  expect(choice()).toHaveAccessibleDescription(
    /your first name, Ada Grace, and your club, Enyimba/,
  );
  expect(dialog.queryByRole("button", { name: "Copy link" })).toBeNull();

  await user.click(choice());
  await user.click(await dialog.findByRole("button", { name: "Copy link" }));

  expect(await navigator.clipboard.readText()).toBe(`${window.location.origin}/v/moment-1`);
  await user.click(choice());
  await waitFor(() => expect(dialog.queryByRole("button", { name: "Copy link" })).toBeNull());
  expect(choice()).not.toBeChecked();
  expect(sent.map(({ body }) => body)).toEqual([{ public: true }, { public: false }]);
});

test("a link that may not be opened today stays closed, and says why", async () => {
  const sentence = "You have shared enough for today. Come back tomorrow.";
  serve("put", "/api/v1/moment/:id/share", () => refusal(409, "too_many_shares", sentence));
  const { user } = openAppAsMember("/posts");
  await user.click(await screen.findByRole("button", { name: /^Share by link/ }));

  await user.click(await screen.findByRole("switch", { name: "Anyone with the link" }));

  expect(await screen.findByText(sentence)).toBeInTheDocument();
  expect(await screen.findByRole("switch", { name: "Anyone with the link" })).not.toBeChecked();
});

test("who has shared enough today is told so, and nothing changes", async () => {
  const sentence = "You have shared enough for today. Come back tomorrow.";
  serve("put", "/api/v1/moment/:id/share", () => refusal(409, "too_many_shares", sentence));
  const { user } = openAppAsMember("/posts");

  await user.click(await screen.findByRole("button", { name: /^Share with my club/ }));

  expect(await screen.findByText(sentence)).toBeInTheDocument();
  expect(await screen.findByRole("button", { name: /^Share with my club/ })).toBeInTheDocument();
});

test("the club's moments come as posters with whose they are; a tap plays", async () => {
  const user = await openClub();

  const card = await screen.findByRole("article", { name: TITLE });
  expect(within(card).getByText("Eze Chioma")).toBeInTheDocument();
  expect(card.querySelector("img")).toHaveAttribute("src", "/media/moments/drums.webp");
  expect(document.querySelector("video")).toBeNull();

  await user.click(within(card).getByRole("button", { name: `Play: ${TITLE}` }));

  const player = screen.getByRole("dialog", { name: TITLE });
  expect(player.querySelector("video")).toHaveAttribute("src", "/media/moments/drums.webm");
  expect(play).toHaveBeenCalled();
});

test("where data is spared the button says what playing loads, and then plays", async () => {
  lowDataChoice.write(true);
  const user = await openClub();

  const button = await screen.findByRole("button", { name: `3.1 MB · Play: ${TITLE}` });
  expect(button).toHaveTextContent("3.1 MB · Play");
  await user.click(button);

  expect(play).toHaveBeenCalled();
});

test("applause shows at once on a slow network, and stands as the last tap said", async () => {
  const answers: (() => void)[] = [];
  const slow = (applauded: boolean) => () =>
    new Promise<Response>((resolve) => {
      answers.push(() =>
        resolve(envelope(200, { applause: applauded ? 5 : 4, applauded }) as Response),
      );
    });
  const put = serve("put", "/api/v1/moment/:id/applause", slow(true) as never);
  const undone = serve("delete", "/api/v1/moment/:id/applause", slow(false) as never);
  const user = await openClub();

  await user.click(await applause());
  await waitFor(async () => expect(await applause()).toHaveAttribute("aria-pressed", "true"));
  expect(await applause()).toHaveTextContent("5");
  await user.click(await applause());
  await waitFor(async () => expect(await applause()).toHaveTextContent("4"));
  await waitFor(() => expect(put).toHaveLength(1));
  expect(undone).toHaveLength(0);
  answers[0]?.();

  await waitFor(() => expect(undone).toHaveLength(1));
  expect(await applause()).toHaveAttribute("aria-pressed", "false");
  answers[1]?.();
  await waitFor(async () => expect(await applause()).toHaveTextContent("4"));
});

test("applause that got no answer is taken back, and told", async () => {
  serve("put", "/api/v1/moment/:id/applause", () => HttpResponse.error());
  const user = await openClub();

  await user.click(await applause());

  expect(await screen.findByText(/^No answer from the server/)).toBeInTheDocument();
  await waitFor(async () => expect(await applause()).toHaveAttribute("aria-pressed", "false"));
  expect(await applause()).toHaveTextContent("4");
});

test("one's own moment has neither applause to give nor a report", async () => {
  feed = [aSharedMoment({ mine: true, applause: 1 })];
  await openClub();

  const card = await screen.findByRole("article", { name: TITLE });

  expect(within(card).getByText("Applause from 1 member")).toBeInTheDocument();
  expect(within(card).getAllByRole("button")).toHaveLength(1);
});

test("a moment is reported with a reason", async () => {
  const reported = serve("post", "/api/v1/moment/:id/reports", () =>
    envelope(201, { momentId: "shared-1", reason: "hate" }),
  );
  const user = await openClub();

  await user.click(await screen.findByRole("button", { name: `Report: ${TITLE}` }));
  const dialog = screen.getByRole("dialog", { name: "Report this moment" });
  await user.click(within(dialog).getByRole("radio", { name: "Hate against a group" }));
  await user.click(within(dialog).getByRole("button", { name: "Report" }));

  expect(await screen.findByText(/^Thank you\. Our moderators/)).toBeInTheDocument();
  expect(reported[0]?.body).toEqual({ reason: "hate" });
  expect(screen.queryByRole("dialog")).toBeNull();
});

test("a club without moments says so, and leads to one's own", async () => {
  feed = [];
  const user = await openClub();

  expect(await screen.findByText("Nobody has shared a moment yet.")).toBeInTheDocument();
  await user.click(screen.getByRole("button", { name: "My moments" }));

  expect(screen.getByRole("tab", { name: "My moments", selected: true })).toBeInTheDocument();
});

test("a feed that cannot be read says why, and can be tried again", async () => {
  serve("get", "/api/v1/moment/feed", () => refusal(503, "busy", "Too busy."));
  const user = await openClub();
  expect(await screen.findByRole("alert")).toHaveTextContent("Too busy.");

  serve("get", "/api/v1/moment/feed", () => envelope(200, feed));
  await user.click(screen.getByRole("button", { name: "Try again" }));

  expect(await screen.findByRole("article", { name: TITLE })).toBeInTheDocument();
});
