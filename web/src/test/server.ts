import { HttpResponse, http } from "msw";
import { setupServer } from "msw/node";
import { noPlan, theInvite } from "@/test/factories";

/** The server of the tests; every test says itself what the server answers. */
export const server = setupServer(
  // The menu's badge asks on every screen.
  http.get("/api/v1/chat-unread", () => envelope(200, { rooms: [] })),
  // So does the header's bell.
  http.get("/api/v1/notifications/unread", () => envelope(200, { unread: 0 })),
  // Whatever can be shared asks for the link and the plan beforehand.
  http.get("/api/v1/users/plan/validate/:id", () => envelope(200, noPlan)),
  http.get("/api/v1/invites/:id", () => envelope(200, theInvite())),
  // Nothing is published until a test says so.
  http.get("/api/v1/news", () => envelope(200, [])),
);

type Method = "get" | "post" | "put" | "patch" | "delete";

/** An answer in the envelope of the product. */
export function envelope(status: number, data: unknown, message = "") {
  return HttpResponse.json({ status, message, data }, { status });
}

/** A refusal in the envelope of the product. */
export function refusal(
  status: number,
  code: string,
  message: string,
  { data = null, fields = {} }: { data?: unknown; fields?: Record<string, string> } = {},
) {
  const error = { code, fields, requestId: "test" };
  return HttpResponse.json({ status, message, data, error }, { status, statusText: "" });
}

export interface SeenRequest {
  /** What its JSON says; of a form the text, as it was sent. */
  body: unknown;
  headers: Headers;
  url: URL;
}

const isForm = (request: Request) =>
  request.headers.get("Content-Type")?.startsWith("multipart/") === true;
const parsed = (text: string) => (text === "" ? null : JSON.parse(text));

/** Answer `path` with what `respond` gives; returns the requests as they come in. */
export function serve(
  method: Method,
  path: string,
  respond: (request: SeenRequest) => Response | Promise<Response>,
): SeenRequest[] {
  const seen: SeenRequest[] = [];
  server.use(
    http[method](path, async ({ request }) => {
      const text = await request.text();
      const entry = {
        body: isForm(request) ? text : parsed(text),
        headers: request.headers,
        url: new URL(request.url),
      };
      seen.push(entry);
      return respond(entry);
    }),
  );
  return seen;
}
