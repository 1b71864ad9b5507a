import { expect, test } from "vitest";
import { get, patch, put, remove, type WriteCall } from "@/api/client";
import { upload } from "@/api/upload";
import { envelope, serve } from "@/test/server";

/** A description with verbs that no call of the product uses yet. */
interface Described {
  "/api/v1/notices/{notice_id}": {
    put: Operation<{ title: string }, { path: { notice_id: string } }>;
    patch: Operation<{ read: boolean }, { path: { notice_id: string }; query: { at: number } }>;
  };
}

interface Operation<Body, Parameters> {
  parameters: Parameters;
  requestBody: { content: { "application/json": Body } };
  responses: { 200: { content: { "application/json": { data: { id: string } } } } };
}

const replace = put as unknown as WriteCall<"put", Described>;
const change = patch as unknown as WriteCall<"patch", Described>;
const PATH = "/api/v1/notices/{notice_id}";

test("PUT and PATCH send their body to the address that they name", async () => {
  const answer = () => envelope(200, { id: "7" });
  const puts = serve("put", "/api/v1/notices/:id", answer);
  const patches = serve("patch", "/api/v1/notices/:id", answer);

  const { data } = await replace(PATH, { title: "Goal" }, { inPath: { notice_id: "a/b" } });
  await change(PATH, { read: true }, { inPath: { notice_id: "7" }, inQuery: { at: 5 } });

  expect(data.id).toBe("7");
  expect(puts.map(({ url, body }) => [url.pathname, body])).toEqual([
    ["/api/v1/notices/a%2Fb", { title: "Goal" }],
  ]);
  expect(patches.map(({ url, body }) => [url.pathname + url.search, body])).toEqual([
    ["/api/v1/notices/7?at=5", { read: true }],
  ]);
});

test("the compiler refuses what the description does not say", () => {
  const inPath = { user_id: "1", notice_id: "1" };
  const refused = [
    // @ts-expect-error: the statement knows no such address
    () => get("/api/v1/payment/statement", { inPath }),
    // @ts-expect-error: whose statement
    () => get("/api/v1/payment/statement/{user_id}"),
    // @ts-expect-error: the statement has no `after`
    () => get("/api/v1/payment/statement/{user_id}", { inPath, inQuery: { after: "1" } }),
    // @ts-expect-error: a limit is a number
    () => get("/api/v1/payment/statement/{user_id}", { inPath, inQuery: { limit: "20" } }),
    // @ts-expect-error: null would be sent as the word
    () => get("/api/v1/payment/statement/{user_id}", { inPath, inQuery: { before: null } }),
    // @ts-expect-error: a board has no such period
    () => get("/api/v1/leaderboard", { inQuery: { period: "century" } }),
    // @ts-expect-error: clubs take no query
    () => get("/api/v1/clubs", { inQuery: { page: 1 } }),
    // @ts-expect-error: which post
    () => remove("/api/v1/moment/post/delete/{post_id}", null),
    // @ts-expect-error: at what time
    () => change(PATH, { read: true }, { inPath }),
    // @ts-expect-error: no title
    () => replace(PATH, {}, { inPath }),
    // @ts-expect-error: a moment without its video
    () => upload("/api/v1/moment/create", { title: "Goal", thumbnail: new File([], "a.jpg") }),
    // @ts-expect-error: a form has no such field
    () => upload("/api/v1/users/updatekyc", { user: "{}", picture: new File([], "a.jpg") }),
    // @ts-expect-error: a call without a form
    () => upload("/api/v1/sign-out", {}),
  ];

  // They are never called: the compiler's errors are the test.
  expect(refused).toHaveLength(13);
});
