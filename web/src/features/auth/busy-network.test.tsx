import { screen, waitFor } from "@testing-library/react";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { aClub, aUser } from "@/test/factories";
import { openApp } from "@/test/render";
import { envelope, refusal, type SeenRequest, serve } from "@/test/server";
import { ADA, fillSignUp } from "@/test/sign-up";

const SIGN_IN = "/api/v1/sign-in/username-password";
const RESEND = "/api/v1/signup/resend-code";
const BUSY = "Your network is busy. Please wait while we check your connection.";
const CHALLENGE = {
  parameters: {
    algorithm: "PBKDF2/SHA-256",
    cost: 200,
    keyLength: 32,
    keyPrefix: "00",
    nonce: "01",
    salt: "02",
    expiresAt: 4_102_445_400,
  },
  signature: "03",
};
const SOLUTION = { counter: 7, derivedKey: "00ff", time: 1 };

/** The browser's workers; a test answers for them. */
class FakeWorker extends EventTarget {
  static all: FakeWorker[] = [];
  readonly received: unknown[] = [];
  isTerminated = false;

  constructor(
    readonly url: URL,
    readonly options: WorkerOptions,
  ) {
    super();
    FakeWorker.all.push(this);
  }

  postMessage(message: unknown) {
    this.received.push(message);
  }

  terminate() {
    this.isTerminated = true;
  }

  solve() {
    this.dispatchEvent(new MessageEvent("message", { data: SOLUTION }));
  }
}

async function firstWorker(): Promise<FakeWorker> {
  await waitFor(() => expect(FakeWorker.all[0]?.received.length).toBeGreaterThan(0));
  return FakeWorker.all[0] as FakeWorker;
}

beforeEach(() => {
  FakeWorker.all = [];
  vi.stubGlobal("Worker", FakeWorker);
});
afterEach(() => vi.unstubAllGlobals());

/** Answer calls without a solution with a challenge, and others with `answer`. */
function serveBusy(path: string, answer: () => Response): SeenRequest[] {
  const data = { challenge: CHALLENGE };
  return serve("post", path, ({ headers }) =>
    headers.get("X-Challenge") === null
      ? refusal(428, "challenge_required", BUSY, { data })
      : answer(),
  );
}

function sent(request: SeenRequest | undefined): unknown {
  return JSON.parse(atob(request?.headers.get("X-Challenge") ?? ""));
}

async function fillSignIn(user: ReturnType<typeof openApp>["user"]) {
  await user.type(screen.getByLabelText("Email"), "ada@example.com");
  await user.type(screen.getByLabelText("Password"), "Terrace-2026");
  await user.click(screen.getByRole("button", { name: "Login" }));
}

test("on a busy network the connection is checked, and then the member is signed in", async () => {
  const requests = serveBusy(SIGN_IN, () =>
    envelope(200, { user: aUser(), access_token: "new-token" }),
  );
  serve("get", "/api/v1/*", () => refusal(503, "unavailable", "Not now."));
  const { user } = openApp("/signin");

  await fillSignIn(user);

  const button = await screen.findByRole("button", { name: "Checking your connection..." });
  expect(button).toHaveAttribute("aria-busy", "true");
  expect(screen.getByRole("status")).toHaveTextContent("Many people use your network right now");
  expect(screen.queryByRole("alert")).toBeNull();
  const worker = await firstWorker();
  expect(worker.url.pathname).toMatch(/challenge-worker/);
  expect(worker.options.type).toBe("module");
  expect(worker.received[0]).toMatchObject({ type: "work", challenge: CHALLENGE });
  worker.solve();

  expect(await screen.findByRole("heading", { level: 1, name: "Dashboard" })).toBeInTheDocument();
  expect(requests).toHaveLength(2);
  expect(requests[1]?.body).toEqual(requests[0]?.body);
  expect(sent(requests[1])).toEqual({ challenge: CHALLENGE, solution: SOLUTION });
  expect(FakeWorker.all.every((each) => each.isTerminated)).toBe(true);
});

test("a sign-up on a busy network keeps what was typed and is sent again with the solution", async () => {
  const club = aClub("Enyimba", "NPFL");
  serve("get", "/api/v1/clubs", () => envelope(200, [club]));
  const requests = serveBusy("/api/v1/signup", () =>
    envelope(201, { id: "member-2", retryAfter: 0 }),
  );
  const { user } = openApp("/signup");
  await fillSignUp(user);
  expect(
    await screen.findByRole("button", { name: "Checking your connection..." }),
  ).toBeInTheDocument();
  expect(screen.getByLabelText("Password")).toHaveValue(ADA.password);
  (await firstWorker()).solve();

  expect(await screen.findByRole("heading", { name: "OTP Validation" })).toBeInTheDocument();
  expect(requests).toHaveLength(2);
  expect(sent(requests[1])).toEqual({ challenge: CHALLENGE, solution: SOLUTION });
});

test("a code is mailed again on a busy network", async () => {
  const requests = serveBusy(RESEND, () => envelope(200, { retryAfter: 45 }));
  const { user } = openApp("/activate-account/member-2");

  await user.click(await screen.findByRole("button", { name: "Send a new code" }));
  expect(
    await screen.findByRole("button", { name: "Checking your connection..." }),
  ).toBeInTheDocument();
  (await firstWorker()).solve();

  expect(await screen.findByRole("timer")).toHaveTextContent("0:45");
  expect(sent(requests[1])).toEqual({ challenge: CHALLENGE, solution: SOLUTION });
});

test("a solution that is not taken is followed by three more challenges, then by the sentence", async () => {
  const requests = serve("post", SIGN_IN, () =>
    refusal(428, "challenge_required", BUSY, { data: { challenge: CHALLENGE } }),
  );
  const solving = new WeakSet<FakeWorker>();
  const { user } = openApp("/signin");
  await fillSignIn(user);

  await waitFor(() => {
    for (const worker of FakeWorker.all.filter((each) => !solving.has(each))) {
      if (worker.received.length > 0) {
        solving.add(worker);
        worker.solve();
      }
    }
    expect(requests).toHaveLength(4);
  });

  expect(await screen.findByRole("alert")).toHaveTextContent(BUSY);
  expect(screen.getByRole("button", { name: "Login" })).toBeEnabled();
});

test("a browser that cannot solve it says so, and lets the member try again", async () => {
  vi.stubGlobal("Worker", undefined);
  serveBusy(SIGN_IN, () => envelope(200, {}));
  const { user } = openApp("/signin");

  await fillSignIn(user);

  expect(await screen.findByRole("alert")).toHaveTextContent(
    "We could not check your connection. Please try again.",
  );
  expect(screen.getByRole("button", { name: "Login" })).toBeEnabled();
  expect(screen.getByRole("status")).toBeEmptyDOMElement();
});
