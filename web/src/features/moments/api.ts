import { queryOptions } from "@tanstack/react-query";
import type { Answer } from "@/api/calls";
import { get, post, put, remove } from "@/api/client";
import { keys, type Player } from "@/api/query-keys";
import { upload } from "@/api/upload";
import type { Applause, Moment, ReportReason } from "@/api/wire";
import type { CompleteDraft } from "@/features/moments/rules";
import { once } from "@/lib/session/idempotency-keys";

/** No id to ask for: the stored member has none. */
export class MissingMemberError extends Error {
  constructor() {
    super("An error occurred while fetching your content.");
    this.name = "MissingMemberError";
  }
}

/** The member's own moments, newest first; fetched on every visit. */
export function momentsQuery(userId: string) {
  return queryOptions({
    queryKey: keys.moments(userId),
    queryFn: async ({ signal }) => {
      if (userId === "") {
        throw new MissingMemberError();
      }
      const inPath = { user_id: userId };
      return (await get("/api/v1/moment/post/user/{user_id}", { inPath, signal })).data;
    },
    staleTime: 0,
    refetchOnWindowFocus: false,
  });
}

interface Sending {
  signal: AbortSignal;
  onProgress: (share: number) => void;
}

/** Post a moment; a repeat after a lost response posts once. */
export function createMoment(
  userId: string,
  { title, content, thumbnail, video }: CompleteDraft,
  sending: Sending,
): Promise<Answer<Moment>> {
  const texts = { title: title.trim(), content: content.trim() };
  const files = [thumbnail, video].map(({ name, size, lastModified }) => ({
    name,
    size,
    lastModified,
  }));
  const fields = { ...texts, thumbnail, video, userId };
  return once(`moment:${userId}`, { ...texts, files }, (idempotencyKey) =>
    upload("/api/v1/moment/create", fields, { ...sending, idempotencyKey }),
  );
}

/** Delete one of the member's own moments. */
export function removeMoment(momentId: string): Promise<Answer<null>> {
  const inPath = { post_id: momentId };
  return remove("/api/v1/moment/post/delete/{post_id}", null, { inPath });
}

/** The moments shared with the club, latest first; fetched on every visit. */
export function sharedQuery(member: Player) {
  return queryOptions({
    queryKey: keys.sharedMoments(member),
    queryFn: async ({ signal }) => (await get("/api/v1/moment/feed", { signal })).data,
    staleTime: 0,
  });
}

/** Share an own moment with the club, or unshare it; idempotent. */
export function setShared(momentId: string, shared: boolean): Promise<Answer<Moment>> {
  const change = shared ? put : remove;
  return change("/api/v1/moment/{moment_id}/share", null, { inPath: { moment_id: momentId } });
}

/** Open an own moment to everyone with its link, or close it; the club sees it in both cases. */
export function setPublic(momentId: string, isPublic: boolean): Promise<Answer<Moment>> {
  const inPath = { moment_id: momentId };
  return put("/api/v1/moment/{moment_id}/share", { public: isPublic }, { inPath });
}

/** Set or remove applause for a moment; idempotent. */
export async function setApplauded(momentId: string, applauded: boolean): Promise<Applause> {
  const change = applauded ? put : remove;
  const inPath = { moment_id: momentId };
  return (await change("/api/v1/moment/{moment_id}/applause", null, { inPath })).data;
}

/** Report a moment to the moderators; a second report keeps the first. */
export async function reportMoment(momentId: string, reason: ReportReason): Promise<void> {
  const inPath = { moment_id: momentId };
  await post("/api/v1/moment/{moment_id}/reports", { reason }, { inPath });
}
