import { HttpResponse, http } from "msw";
import { setupServer } from "msw/node";
import { aPendingSignUp, noPlan, theInvite } from "@/test/factories";
import { aProfile } from "@/test/profile";

/** The mock server of the tests; every test defines its own responses. */
export const server = setupServer(
  // The menu's badge calls it on every screen.
  http.get("/api/v1/chat-unread", () => envelope(200, { rooms: [] })),
  // So does the header's bell.
  http.get("/api/v1/notifications/unread", () => envelope(200, { unread: 0 })),
  // Share buttons fetch the link and the plan in advance.
  http.get("/api/v1/users/plan/validate/:id", () => envelope(200, noPlan)),
  http.get("/api/v1/invites/:id", () => envelope(200, theInvite())),
  // The activation page reads where its code is sent.
  http.get("/api/v1/signup/:id", () => envelope(200, aPendingSignUp())),
  http.get("/api/v1/signup", () => envelope(200, { channels: ["email"] })),
  // The shell fetches which terms were accepted.
  http.get("/api/v1/users/:id", () => envelope(200, aProfile())),
  // What failed to load asks whether the server is there.
  http.head("/healthz", () => new HttpResponse(null)),
  // A match reads the colours of its clubs and its competition's table.
  http.get("/api/v1/clubs", () => envelope(200, [])),
  http.get("/api/v1/competitions/:id/table", () => envelope(200, [])),
  // No articles by default.
  http.get("/api/v1/news", () => envelope(200, [])),
);

type Method = "get" | "post" | "put" | "patch" | "delete";

/** A response in the product's envelope. */
export function envelope(status: number, data: unknown, message = "") {
  return HttpResponse.json({ status, message, data }, { status });
}

/** A refusal in the product's envelope. */
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
  /** Its parsed JSON; of a form the text, as sent. */
  body: unknown;
  headers: Headers;
  url: URL;
}

const isForm = (request: Request) =>
  request.headers.get("Content-Type")?.startsWith("multipart/") === true;
const parsed = (text: string) => (text === "" ? null : JSON.parse(text));

/** Answer `path` with the result of `respond`; returns the requests as they arrive. */
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
