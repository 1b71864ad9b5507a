import { screen, waitFor, within } from "@testing-library/react";
import { HttpResponse } from "msw";
import { beforeEach, expect, test, vi } from "vitest";
import { envelope, serve } from "@/test/server";
import { anOperator, openOffice, page } from "~/test/render";

const MODERATOR = anOperator({ rights: ["chat:write"] });
const ID = "0199f2a4-0000-7000-8000-0000000000f1";

const aMoment = (facts: object = {}) => ({
  id: ID,
  title: "The goal",
  content: "Ninetieth minute",
  thumbnail: "/media/moments/a.webp",
  video: "/media/moments/a.mp4",
  videoType: "video/mp4",
  userId: "0199f2a4-0000-7000-8000-0000000000d1",
  createdAt: "2026-11-23T12:00:00Z",
  state: "shown",
  hiddenAt: null,
  member: { id: "0199f2a4-0000-7000-8000-0000000000d1", firstName: "Bello", lastName: "Musa" },
  ...facts,
});

beforeEach(() => {
  URL.createObjectURL = vi.fn((file: Blob) => `blob:${file.type}`);
  URL.revokeObjectURL = vi.fn();
});

test("picture and video are looked at through the call that writes down who did", async () => {
  serve("get", "/api/v1/admin/moments", () => page([aMoment({ state: "hidden" })]));
  const views = serve(
    "get",
    "/api/v1/admin/moments/:id/:part",
    ({ url }) =>
      new HttpResponse("file", {
        headers: {
          "Content-Type": url.pathname.endsWith("video") ? "video/mp4" : "image/webp",
        },
      }),
  );
  const { user } = openOffice("/moments", MODERATOR);

  await user.click(await screen.findByRole("button", { name: "View" }));
  const dialog = within(await screen.findByRole("dialog", { name: "The goal" }));
  expect(await dialog.findByAltText("Thumbnail")).toHaveAttribute("src", "blob:image/webp");
  const before = views.length;
  await user.click(dialog.getByRole("button", { name: "Watch the video" }));

  expect(await dialog.findByLabelText("Video")).toHaveAttribute("src", "blob:video/mp4");
  expect(views.slice(before).map(({ url }) => url.pathname.split("/").at(-1))).toEqual(["video"]);
});

test("a moment is hidden for a reason, and a hidden one is restored", async () => {
  let state = "shown";
  serve("get", "/api/v1/admin/moments", () => page([aMoment({ state })]));
  const hidden = serve("post", "/api/v1/admin/moments/:id/hide", () => {
    state = "hidden";
    return envelope(200, aMoment({ state }));
  });
  const { user } = openOffice("/moments", MODERATOR);

  await user.click(await screen.findByRole("button", { name: "Hide" }));
  const dialog = within(await screen.findByRole("dialog"));
  await user.type(dialog.getByLabelText(/Reason/), "Not football");
  await user.click(dialog.getByRole("button", { name: "Hide" }));

  await waitFor(() => expect(hidden).toHaveLength(1));
  expect(hidden[0]?.body).toEqual({ reason: "Not football" });
  expect(await screen.findByRole("button", { name: "Restore" })).toBeInTheDocument();
});
