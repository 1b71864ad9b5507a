import { act, fireEvent, screen, waitFor, within } from "@testing-library/react";
import { beforeEach, expect, test, vi } from "vitest";
import { MOMENT_MAX_LENGTHS } from "@/api/max-lengths.gen";
import * as uploading from "@/api/upload";
import * as pictures from "@/features/moments/pictures";
import { Cancelled, Refusal } from "@/lib/live/failures";
import { readToasts } from "@/lib/ui/toasts";
import { aMoment, aSession } from "@/test/factories";
import { openAppAsMember } from "@/test/render";
import { envelope, type SeenRequest, serve } from "@/test/server";

/** The arguments of one call of the sender, and the functions that end it. */
interface Sent {
  form: FormData;
  options: { idempotencyKey: string; signal: AbortSignal; onProgress: (share: number) => void };
  succeed: () => void;
  fail: (error: Error) => void;
}

const picture = new File(["picture"], "poster.jpg", { type: "image/jpeg" });
const video = new File(["video"], "goal.mp4", { type: "video/mp4" });
let sent: Sent[] = [];
let fetched: SeenRequest[] = [];

beforeEach(() => {
  sent = [];
  fetched = serve("get", "/api/v1/moment/post/user/:id", () => envelope(200, []));
  // jsdom neither decodes pictures nor reports upload progress; a real browser does both in e2e.
  vi.spyOn(pictures, "fitPicture").mockImplementation(async (file) => file);
  vi.spyOn(pictures, "frameOf");
  vi.spyOn(uploading, "upload").mockImplementation((path, fields, options) => {
    expect(path).toBe("/api/v1/moment/create");
    return new Promise((resolve, reject) => {
      sent.push({
        form: uploading.formOf(fields),
        options: options as Sent["options"],
        succeed: () => resolve({ status: 201, message: "", data: aMoment() } as never),
        fail: reject,
      });
      options?.signal?.addEventListener("abort", () => reject(new Cancelled()));
    });
  });
  Object.assign(URL, { createObjectURL, revokeObjectURL });
  createObjectURL.mockClear();
  revokeObjectURL.mockClear();
});

const createObjectURL = vi.fn(() => "blob:picked");
const revokeObjectURL = vi.fn();

async function openDialog() {
  const opened = openAppAsMember("/posts");
  await screen.findByText("No posts available");
  const [button] = screen.getAllByRole("button", { name: "Upload Content" });
  await opened.user.click(button as HTMLElement);
  return opened.user;
}

function dialog() {
  return screen.getByRole("dialog", { name: "Post Your Moment." });
}

function pick(label: string, file: File) {
  fireEvent.change(within(dialog()).getByLabelText(label, { exact: false, selector: "input" }), {
    target: { files: [file] },
  });
}

async function pickBoth() {
  pick("Video", video);
  pick("Thumbnail", picture);
  await within(dialog()).findByAltText("The thumbnail you picked");
}

async function fillIn(user: Awaited<ReturnType<typeof openDialog>>) {
  await user.type(within(dialog()).getByLabelText(/^Title/), " The goal ");
  await user.type(within(dialog()).getByLabelText("Content"), "What a night.");
  await pickBoth();
}

async function press(user: Awaited<ReturnType<typeof openDialog>>, name: string) {
  await user.click(await within(dialog()).findByRole("button", { name }));
}

function alerts() {
  return screen.queryAllByRole("alert").map((alert) => alert.textContent);
}

test("the checks speak one after the other, and nothing is sent before all pass", async () => {
  const user = await openDialog();

  await press(user, "Upload");
  expect(alerts()).toEqual(["Please select both a thumbnail and a video."]);
  pick("Thumbnail", picture);
  await within(dialog()).findByAltText("The thumbnail you picked");
  const large = new File([new Uint8Array(4_194_305)], "match.mp4", { type: "video/mp4" });
  pick("Video", large);
  await press(user, "Upload");
  expect(alerts().at(-1)).toBe("File size exceeds 4MB. Please upload a smaller file.");
  expect(within(dialog()).getByText("4.1 MB of 4 MB")).toBeInTheDocument();
  pick("Video", video);
  await press(user, "Upload");
  expect(alerts().at(-1)).toBe("Please enter a title for the post.");
  const title = within(dialog()).getByLabelText(/^Title/);
  expect(title).toHaveFocus();
  expect(title).toHaveAccessibleDescription("Please enter a title for the post.");
  expect(sent).toEqual([]);
});

test("a stored member without an id cannot post", async () => {
  const { user } = openAppAsMember("/posts", aSession({ id: "" }));
  await user.click(await screen.findByRole("button", { name: "Upload Content" }));
  await fillIn(user);

  await press(user, "Upload");

  expect(alerts().at(-1)).toBe("An error occurred while uploading the content.");
  expect(sent).toEqual([]);
});

test("a video picker that gives no video, or is left without one, asks for a video", async () => {
  await openDialog();
  const input = within(dialog()).getByLabelText("Video", { exact: false });

  fireEvent(input, new Event("cancel", { bubbles: true }));
  expect(within(dialog()).getByText("Please select a video.")).toBeInTheDocument();
  expect(dialog()).toBeInTheDocument();
  pick("Video", video);
  expect(within(dialog()).queryByText("Please select a video.")).toBeNull();
  pick("Video", picture);

  expect(within(dialog()).getByText("Please select a video.")).toBeInTheDocument();
  expect(within(dialog()).queryByLabelText("The video you picked")).toBeNull();
});

test("leaving the picker keeps the video that was picked before", async () => {
  await openDialog();
  pick("Video", video);

  fireEvent(
    within(dialog()).getByLabelText("Video", { exact: false, selector: "input" }),
    new Event("cancel", { bubbles: true }),
  );

  expect(await within(dialog()).findByLabelText("The video you picked")).toBeInTheDocument();
  expect(within(dialog()).queryByText("Please select a video.")).toBeNull();
});

test("an iPhone's video and a thumbnail that is no picture are refused at once", async () => {
  await openDialog();

  pick("Video", new File(["v"], "IMG_1.MOV", { type: "video/quicktime" }));
  expect(within(dialog()).getByText(/^MOV videos do not play on every phone/)).toBeInTheDocument();
  pick("Thumbnail", video);

  expect(within(dialog()).getByText("Please select a picture.")).toBeInTheDocument();
});

test("title and content are counted and limited", async () => {
  const user = await openDialog();
  const title = within(dialog()).getByLabelText(/^Title/);

  expect(title).toHaveAttribute("maxlength", String(MOMENT_MAX_LENGTHS.title));
  expect(within(dialog()).getByLabelText("Content")).toHaveAttribute(
    "maxlength",
    String(MOMENT_MAX_LENGTHS.content),
  );
  await user.type(title, "Goal!");

  expect(title).toHaveAccessibleDescription("5 of 120 characters");
});

test("a thumbnail is offered from the video, and told when none can be taken", async () => {
  const user = await openDialog();
  expect(within(dialog()).queryByRole("button", { name: "From the video" })).toBeNull();
  pick("Video", video);
  vi.mocked(pictures.frameOf).mockRejectedValueOnce(
    new pictures.PictureError("No picture could be taken."),
  );
  await press(user, "From the video");
  expect(await within(dialog()).findByText("No picture could be taken.")).toBeInTheDocument();

  vi.mocked(pictures.frameOf).mockResolvedValueOnce(picture);
  await press(user, "From the video");

  expect(await within(dialog()).findByAltText("The thumbnail you picked")).toBeInTheDocument();
  expect(pictures.frameOf).toHaveBeenLastCalledWith(video, 1);
});

test("a picture that is still being prepared is waited for, and not called missing", async () => {
  let ready = (_picture: File) => {};
  vi.mocked(pictures.fitPicture).mockReturnValueOnce(new Promise((resolve) => (ready = resolve)));
  const user = await openDialog();
  await user.type(within(dialog()).getByLabelText(/Title/), "The goal");
  pick("Video", video);
  pick("Thumbnail", picture);
  await user.click(within(dialog()).getByRole("button", { name: "Upload" }));
  expect(readToasts().map(({ text }) => text)).toContain(
    "The picture is still being prepared. One moment.",
  );
  expect(sent).toHaveLength(0);

  await act(async () => ready(picture));
  await user.click(within(dialog()).getByRole("button", { name: "Upload" }));
  await waitFor(() => expect(sent).toHaveLength(1));
});

test("a moment is sent with its parts and its progress, and the list is loaded anew", async () => {
  const user = await openDialog();
  await fillIn(user);
  const before = fetched.length;
  await press(user, "Upload");

  const [first] = sent as [Sent];
  expect([...first.form.keys()]).toEqual(["title", "content", "thumbnail", "video", "userId"]);
  expect(first.form.get("title")).toBe("The goal");
  expect(first.form.get("content")).toBe("What a night.");
  expect((first.form.get("thumbnail") as File).name).toBe("poster.jpg");
  expect((first.form.get("video") as File).name).toBe("goal.mp4");
  expect(first.form.get("userId")).toBe("member-1");
  expect(first.options.idempotencyKey).toMatch(/^[0-9a-f-]{36}$/);
  act(() => first.options.onProgress(0.42));
  expect(within(dialog()).getByRole("progressbar", { name: "Upload" })).toHaveAttribute(
    "value",
    "0.42",
  );
  expect(within(dialog()).getByText("42%")).toBeInTheDocument();
  expect(within(dialog()).getByText("25 percent sent")).toBeInTheDocument();
  act(() => first.options.onProgress(1));
  expect(within(dialog()).getByText("Checking your video...")).toBeInTheDocument();
  first.succeed();

  expect(
    await screen.findByText("Your moment has been uploaded successfully."),
  ).toBeInTheDocument();
  expect(screen.queryByRole("dialog")).toBeNull();
  await waitFor(() => expect(fetched.length).toBe(before + 1));
  await user.click(screen.getAllByRole("button", { name: "Upload Content" })[0] as HTMLElement);
  expect(within(dialog()).getByLabelText(/^Title/)).toHaveValue("");
  expect(revokeObjectURL).toHaveBeenCalledTimes(createObjectURL.mock.calls.length);
});

test("while it is under way the dialog is not left by accident, nor the page", async () => {
  const user = await openDialog();
  await fillIn(user);
  await press(user, "Upload");

  fireEvent(dialog(), new Event("cancel", { cancelable: true }));
  expect(
    within(dialog())
      .getAllByRole("button")
      .map((button) => button.textContent),
  ).toContain("Cancel upload");
  expect(within(dialog()).queryByRole("button", { name: /Close/ })).toBeNull();
  expect(within(dialog()).getByRole("button", { name: "Cancel upload" })).toHaveFocus();
  const leaving = new Event("beforeunload", { cancelable: true });
  window.dispatchEvent(leaving);

  expect(leaving.defaultPrevented).toBe(true);
});

test("an upload goes on when the screen is left, and its end is still told", async () => {
  const { user, unmount } = openAppAsMember("/posts");
  await screen.findByText("No posts available");
  await user.click(screen.getAllByRole("button", { name: "Upload Content" })[0] as HTMLElement);
  await fillIn(user);
  await press(user, "Upload");
  unmount();

  expect(sent[0]?.options.signal.aborted).toBe(false);
  sent[0]?.succeed();

  await waitFor(() =>
    expect(readToasts().map(({ text }) => text)).toContain(
      "Your moment has been uploaded successfully.",
    ),
  );
});

test("a cancelled upload stops, keeps what was picked, and is not called an error", async () => {
  const user = await openDialog();
  await fillIn(user);
  await press(user, "Upload");

  await press(user, "Cancel upload");

  expect(sent[0]?.options.signal.aborted).toBe(true);
  const note = await within(dialog()).findByText(/^The upload was cancelled/);
  expect(note.parentElement).toHaveFocus();
  expect(await within(dialog()).findByLabelText("The video you picked")).toBeInTheDocument();
  expect(within(dialog()).getByLabelText(/^Title/)).toHaveValue(" The goal ");
  expect(alerts()).toEqual([]);
});

test("after a lost connection everything is kept and Retry sends the same key", async () => {
  const user = await openDialog();
  await fillIn(user);
  await press(user, "Upload");
  sent[0]?.fail(new Error("No answer from the server."));

  expect(
    await screen.findByText("Error uploading your moment: No answer from the server."),
  ).toBeInTheDocument();
  expect(await within(dialog()).findByText(/^The upload did not get through/)).toBeInTheDocument();
  await within(dialog()).findByAltText("The thumbnail you picked");
  await press(user, "Retry");
  expect(sent[1]?.options.idempotencyKey).toBe(sent[0]?.options.idempotencyKey);
  sent[1]?.succeed();

  expect(
    await screen.findByText("Your moment has been uploaded successfully."),
  ).toBeInTheDocument();
});

test("other content after a lost connection is another moment, with a key of its own", async () => {
  const user = await openDialog();
  await fillIn(user);
  await press(user, "Upload");
  sent[0]?.fail(new Error("No answer from the server."));
  await screen.findByText(/^Error uploading/);

  await user.type(await within(dialog()).findByLabelText(/^Title/), "again");
  await press(user, "Retry");

  expect(sent[1]?.options.idempotencyKey).not.toBe(sent[0]?.options.idempotencyKey);
});

test("a refusal is information; the dialog closes and the files clear, the texts stay", async () => {
  const user = await openDialog();
  await fillIn(user);
  await press(user, "Upload");
  sent[0]?.fail(new Refusal("This is not a video.", { status: 415, code: "not_a_video" }));

  expect(await screen.findByText("Upload failed: This is not a video.")).toBeInTheDocument();
  expect(screen.queryByRole("dialog")).toBeNull();
  await user.click(screen.getAllByRole("button", { name: "Upload Content" })[0] as HTMLElement);
  expect(within(dialog()).getByLabelText(/^Title/)).toHaveValue(" The goal ");
  expect(within(dialog()).queryByLabelText("The video you picked")).toBeNull();
  await pickBoth();
  await press(user, "Upload");
  expect(sent[1]?.options.idempotencyKey).not.toBe(sent[0]?.options.idempotencyKey);
});

test("a server in trouble decides nothing: it is told, and can be tried again", async () => {
  const user = await openDialog();
  await fillIn(user);
  await press(user, "Upload");
  sent[0]?.fail(new Refusal("Please try again.", { status: 503, code: "unavailable" }));

  expect(await screen.findByText("Upload failed: Please try again.")).toBeInTheDocument();
  await press(user, "Retry");

  expect(sent[1]?.options.idempotencyKey).toBe(sent[0]?.options.idempotencyKey);
});

test("closing the dialog asks, and discards the files and what was written", async () => {
  const user = await openDialog();
  await fillIn(user);
  await press(user, "Close");
  expect(within(dialog()).getByLabelText("Content")).toHaveValue("What a night.");
  await user.click(screen.getByRole("button", { name: "Discard" }));

  await user.click(screen.getAllByRole("button", { name: "Upload Content" })[0] as HTMLElement);

  expect(within(dialog()).getByLabelText("Content")).toHaveValue("");
  expect(within(dialog()).queryByAltText("The thumbnail you picked")).toBeNull();
});
