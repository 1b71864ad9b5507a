import { MOMENT_MAX_LENGTHS } from "@/api/max-lengths.gen";
import type { SessionUser } from "@/lib/session/session";

export const MAX_VIDEO_BYTES = 4_194_304;
export const LARGEST_PICTURE_BYTES = 1_048_576;
export const MAX_TITLE_LENGTH = MOMENT_MAX_LENGTHS.title;
export const MAX_CONTENT_LENGTH = MOMENT_MAX_LENGTHS.content;

export const VIDEO_KINDS = "video/mp4,video/webm,.mp4,.webm";
export const PICTURE_KINDS = "image/*";

const BYTES_PER_MEGABYTE = 1_048_576;
const VIDEO_MISSING = "Please select a video.";
const VIDEO_TOO_LARGE = "File size exceeds 4MB. Please upload a smaller file.";
const PLAYABLE_TYPES = ["video/mp4", "video/webm"];
const PLAYABLE_ENDINGS = ["mp4", "webm"];
const OTHER_VIDEO_ENDINGS = ["mov", "qt", "3gp", "3g2", "mkv", "avi", "wmv", "flv", "mpg", "mpeg"];

/** The form's current texts and files. */
export interface Draft {
  title: string;
  content: string;
  thumbnail: File | null;
  video: File | null;
}

/** A draft that can be sent. */
export interface CompleteDraft extends Draft {
  thumbnail: File;
  video: File;
}

export const emptyDraft: Draft = { title: "", content: "", thumbnail: null, video: null };

export function isEmpty({ title, content, thumbnail, video }: Draft): boolean {
  return title === "" && content === "" && thumbnail === null && video === null;
}

/** Why something cannot be sent, and at which field; none if the member record is the cause. */
export interface Refusal {
  field: "thumbnail" | "video" | "title" | null;
  sentence: string;
}

/** The first of spec 5's checks that fails, in the order of contract B-40; null if all pass. */
export function uploadRefusal(draft: Draft, member: SessionUser | null): Refusal | null {
  if (!hasFiles(draft)) {
    const field = draft.thumbnail === null ? "thumbnail" : "video";
    return { field, sentence: "Please select both a thumbnail and a video." };
  }
  if (draft.video.size > MAX_VIDEO_BYTES) {
    return { field: "video", sentence: VIDEO_TOO_LARGE };
  }
  if (draft.title.trim() === "") {
    return { field: "title", sentence: "Please enter a title for the post." };
  }
  if (!member?.id || !member.userToken) {
    return { field: null, sentence: "An error occurred while uploading the content." };
  }
  return null;
}

export function hasFiles(draft: Draft): draft is CompleteDraft {
  return draft.thumbnail !== null && draft.video !== null;
}

/** Why the picked file is not a video, or null. */
export function videoRefusal(file: File | null): string | null {
  if (file === null || !isVideo(file)) {
    return VIDEO_MISSING;
  }
  if (isPlayable(file)) {
    return null;
  }
  const kind = endingOf(file).toUpperCase();
  return `${kind ? `${kind} videos` : "Videos of this kind"} do not play on every phone. Please choose an MP4 or WebM video.`;
}

/** Why a video is too large to send, checked before the upload; else null. */
export function sizeRefusal(video: File | null): string | null {
  return video !== null && video.size > MAX_VIDEO_BYTES ? VIDEO_TOO_LARGE : null;
}

/** Bytes as `3.2 MB`, rounded up so that one byte too many shows. */
export function megabytes(bytes: number): string {
  return `${Math.ceil((bytes / BYTES_PER_MEGABYTE) * 10) / 10} MB`;
}

function isVideo(file: File): boolean {
  const endings = [...PLAYABLE_ENDINGS, ...OTHER_VIDEO_ENDINGS];
  return file.type.startsWith("video/") || (file.type === "" && endings.includes(endingOf(file)));
}

/** By type and by name: an iPhone's video is a MOV whatever its type says. */
function isPlayable(file: File): boolean {
  const ending = endingOf(file);
  return file.type === ""
    ? PLAYABLE_ENDINGS.includes(ending)
    : PLAYABLE_TYPES.includes(file.type.split(";")[0] ?? "") &&
        !OTHER_VIDEO_ENDINGS.includes(ending);
}

function endingOf({ name }: File): string {
  return /\.([a-z0-9]{1,5})$/i.exec(name)?.[1]?.toLowerCase() ?? "";
}
