import { expect, test } from "vitest";
import {
  type Draft,
  MAX_VIDEO_BYTES,
  megabytes,
  sizeRefusal,
  uploadRefusal,
  videoRefusal,
} from "@/features/moments/rules";
import { aSession } from "@/test/factories";

const picture = new File(["p"], "poster.jpg", { type: "image/jpeg" });
const good: Draft = { title: "The goal", content: "", thumbnail: picture, video: videoOf(9) };

function videoOf(bytes: number, name = "goal.mp4", type = "video/mp4"): File {
  return new File([new Uint8Array(bytes)], name, { type });
}

test.each([
  ["no thumbnail", { thumbnail: null }, "thumbnail"],
  ["no video", { video: null }, "video"],
  ["neither", { thumbnail: null, video: null }, "thumbnail"],
] as const)("%s comes first, before size, title and member", (_what, change, field) => {
  const draft = { ...good, title: " ", ...change };

  expect(uploadRefusal(draft, null)).toEqual({
    field,
    sentence: "Please select both a thumbnail and a video.",
  });
});

test("a video that is too large comes before title and member", () => {
  const draft = { ...good, title: "", video: videoOf(MAX_VIDEO_BYTES + 1) };

  expect(uploadRefusal(draft, null)).toEqual({
    field: "video",
    sentence: "File size exceeds 4MB. Please upload a smaller file.",
  });
});

test("a blank title comes before the member", () => {
  expect(uploadRefusal({ ...good, title: " \n " }, null)).toEqual({
    field: "title",
    sentence: "Please enter a title for the post.",
  });
});

test.each([
  ["nobody", null],
  ["a member without an id", aSession({ id: "" })],
  ["a member without a token", aSession({ userToken: "" })],
])("%s cannot upload", (_who, member) => {
  expect(uploadRefusal(good, member)?.sentence).toBe(
    "An error occurred while uploading the content.",
  );
});

test("exactly 4,194,304 bytes pass, one more does not", () => {
  expect(uploadRefusal({ ...good, video: videoOf(4_194_304) }, aSession())).toBeNull();
  expect(uploadRefusal({ ...good, video: videoOf(4_194_305) }, aSession())).not.toBeNull();
  expect(sizeRefusal(videoOf(4_194_304))).toBeNull();
  expect(sizeRefusal(videoOf(4_194_305))).toMatch(/^File size exceeds 4MB/);
});

test.each([
  ["nothing", null],
  ["a picture", picture],
  ["a picture named as a video", new File(["p"], "goal.mp4", { type: "image/png" })],
  ["a file of no kind", new File(["p"], "goal.zip", { type: "" })],
])("%s from the video picker is no video", (_what, file) => {
  expect(videoRefusal(file)).toBe("Please select a video.");
});

test.each([
  ["goal.mp4", "video/mp4"],
  ["goal.WEBM", "video/webm"],
  ["goal.webm", "video/webm;codecs=vp8"],
  ["goal.mp4", ""],
])("%s of type “%s” is taken", (name, type) => {
  expect(videoRefusal(videoOf(9, name, type))).toBeNull();
});

test.each([
  ["IMG_0042.MOV", "video/quicktime", "MOV videos"],
  ["IMG_0042.mov", "video/mp4", "MOV videos"],
  ["IMG_0042.mov", "", "MOV videos"],
  ["clip.3gp", "video/3gpp", "3GP videos"],
  ["clip", "video/x-matroska", "Videos of this kind"],
])("%s of type “%s” is refused kindly", (name, type, subject) => {
  expect(videoRefusal(videoOf(9, name, type))).toBe(
    `${subject} do not play on every phone. Please choose an MP4 or WebM video.`,
  );
});

test("sizes are rounded up, so that one byte too many shows", () => {
  expect(megabytes(3_300_000)).toBe("3.2 MB");
  expect(megabytes(4_194_304)).toBe("4 MB");
  expect(megabytes(4_194_305)).toBe("4.1 MB");
  expect(megabytes(0)).toBe("0 MB");
});
