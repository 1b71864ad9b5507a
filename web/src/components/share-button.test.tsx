import { render, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { ShareButton } from "@/components/share-button";
import { ToastRegion } from "@/components/toast-region";
import { messageWith, type Shared, type Sharer } from "@/lib/device/sharing";
import { clearToasts } from "@/lib/ui/toasts";

const ADA: Sharer = {
  name: "Grace Ada",
  clubName: "Enyimba",
  colours: ["#0B4EA2", "#FFFFFF"],
  planName: null,
  link: "https://fans.example/i/K7QW2M9X",
};
const QUEST: Shared = { kind: "quest", correct: 4, total: 5 };
const PREDICTION: Shared = {
  kind: "prediction",
  home: "Enyimba",
  away: "Remo Stars",
  goals: { home: 2, away: 1 },
  outcome: "exact",
};

let written: string[];
let qualities: number[];
let bytes: (quality: number) => number;

/** A canvas that records its texts, and encodes to the size that a test sets. */
beforeEach(() => {
  written = [];
  qualities = [];
  bytes = () => 90_000;
  const nothing = () => undefined;
  const context = new Proxy(
    {
      fillText: (text: string) => written.push(text),
      measureText: (text: string) => ({ width: text.length * 30 }),
    } as Record<string, unknown>,
    { get: (target, name: string) => target[name] ?? nothing, set: () => true },
  );
  vi.stubGlobal("Path2D", class {});
  vi.stubGlobal(
    "URL",
    class extends URL {
      static override createObjectURL = () => "blob:card";
    },
  );
  vi.spyOn(HTMLCanvasElement.prototype, "getContext").mockReturnValue(context as never);
  vi.spyOn(HTMLCanvasElement.prototype, "toBlob").mockImplementation((take, type, quality) => {
    qualities.push(quality as number);
    take(new Blob([new Uint8Array(bytes(quality as number))], { type: type as string }));
  });
});
afterEach(() => {
  clearToasts();
  vi.restoreAllMocks();
});

function phoneShares(share: (data: ShareData) => Promise<void>) {
  vi.stubGlobal("navigator", Object.assign(navigator, { canShare: () => true, share }));
}

function show(shared: Shared, sharer: Sharer | null = ADA) {
  render(
    <>
      <ShareButton sharer={sharer} shared={shared} />
      <ToastRegion />
    </>,
  );
  return userEvent.setup();
}

const press = async (user: ReturnType<typeof userEvent.setup>) =>
  user.click(screen.getByRole("button", { name: "Share" }));

afterEach(() => {
  Reflect.deleteProperty(navigator, "canShare");
  Reflect.deleteProperty(navigator, "share");
});

test("a card says the result, the club, who and where to come, and nothing else", async () => {
  const user = show(QUEST);
  await press(user);
  await screen.findByRole("dialog", { name: "Share" });
  expect(new Set(written)).toEqual(
    new Set([
      "Enyimba",
      "King of Fans",
      "E",
      "Daily Quest",
      "4 of 5 right",
      "Grace Ada",
      "Get Connected Get Rewarded",
      "fans.example/i/K7QW2M9X",
    ]),
  );
});

test("a prediction's card names the match, and the plan is its mark", async () => {
  const user = show(PREDICTION, { ...ADA, planName: "Battle Pass" });
  await press(user);
  await screen.findByRole("dialog", { name: "Share" });
  expect(written).toEqual(
    expect.arrayContaining([
      "My prediction: exact score",
      "2–1",
      "Enyimba v Remo Stars",
      "Battle Pass",
    ]),
  );
  expect(written).not.toContain("Terrace");
});

test("a phone that shares files is given the picture and the link", async () => {
  const sent: ShareData[] = [];
  phoneShares(async (data) => {
    sent.push(data);
  });
  await press(show(QUEST));
  await waitFor(() => expect(sent).toHaveLength(1));
  expect(sent[0]?.text).toBe(messageWith(QUEST, ADA));
  expect(sent[0]?.text).toContain("4 of 5 right. Join me on King of Fans: https://fans.example/i/");
  expect(sent[0]?.files?.[0]).toMatchObject({ name: "king-of-fans-quest.jpg", type: "image/jpeg" });
  expect(screen.queryByRole("dialog")).toBeNull();
});

test("who thinks better of it is told nothing", async () => {
  const share = vi.fn(() => Promise.reject(new DOMException("", "AbortError")));
  phoneShares(share);
  await press(show(QUEST));
  await waitFor(() => expect(share).toHaveBeenCalledOnce());
  await waitFor(() =>
    expect(screen.getByRole("button", { name: "Share" })).not.toHaveAttribute("aria-busy"),
  );
  expect(screen.queryByRole("dialog")).toBeNull();
  expect(screen.queryByRole("alert")).toBeNull();
});

test("a phone that refuses shows the card, with its words, to save or to link to", async () => {
  phoneShares(() => Promise.reject(new DOMException("", "NotAllowedError")));
  const user = show(QUEST);
  await press(user);
  const dialog = within(await screen.findByRole("dialog", { name: "Share" }));
  expect(
    dialog.getByRole("img", { name: "Card of Grace Ada, Enyimba. Daily Quest: 4 of 5 right" }),
  ).toBeInTheDocument();
  expect(dialog.getByRole("button", { name: "Save picture" })).toHaveFocus();
  await user.click(dialog.getByRole("button", { name: "Copy link" }));
  expect(await dialog.findByRole("button", { name: "Link copied" })).toBeInTheDocument();
  expect(await navigator.clipboard.readText()).toBe(ADA.link);
});

test("a picture that is too large is packed smaller; where none is small enough it is said", async () => {
  bytes = (quality) => (quality > 0.8 ? 300_000 : 150_000);
  const user = show(QUEST);
  await press(user);
  await screen.findByRole("dialog");
  expect(qualities).toEqual([0.92, 0.8]);
  await user.keyboard("{Escape}");

  bytes = () => 300_000;
  await press(user);
  expect(await screen.findByRole("alert")).toHaveTextContent("The picture could not be made.");
});

test("until it is known who shares there is nothing to press", () => {
  show(QUEST, null);
  expect(screen.getByRole("button", { name: "Share" })).toBeDisabled();
});
