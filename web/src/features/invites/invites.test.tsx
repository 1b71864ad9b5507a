import { screen, waitFor, within } from "@testing-library/react";
import { beforeEach, expect, test } from "vitest";
import { aClub, theInvite, theStatistics, theToday } from "@/test/factories";
import { openApp, openAppAsMember } from "@/test/render";
import { envelope, refusal, type SeenRequest, serve } from "@/test/server";
import { ADA, chooseClub, fillSignUp } from "@/test/sign-up";

const OWN_CLUB = aClub("Enyimba", "NPFL");
const REMO_STARS = aClub("Remo Stars", "NPFL");
const INVITER = {
  clubId: REMO_STARS.id,
  clubName: "Remo Stars",
  emblem: "/media/crests/remo.svg",
  firstName: "Ada",
};

beforeEach(() => {
  serve("get", "/api/v1/clubs", () => envelope(200, [OWN_CLUB, REMO_STARS]));
});

/** The points page beside the invite. */
function servePoints(): void {
  serve("get", "/api/v1/points/:id", () => envelope(200, []));
  serve("get", "/api/v1/dashboard/statistics/:id", () => envelope(200, theStatistics()));
  serve("get", "/api/v1/today", () => envelope(200, theToday()));
}

async function signUp(
  user: ReturnType<typeof openApp>["user"],
  club: string | null,
): Promise<SeenRequest[]> {
  const sent = serve("post", "/api/v1/signup", () => envelope(201, { id: "new-1", retryAfter: 0 }));
  await fillSignUp(user, { ...ADA, firstName: "Tobi", email: "tobi@example.com", club });
  await waitFor(() => expect(sent).toHaveLength(1));
  return sent;
}

test("an invite says who invites, with the club chosen, and goes with the sign-up", async () => {
  const asked = serve("get", "/api/v1/invites/code/:name", () => envelope(200, INVITER));
  const { user } = openApp("/signup?invite=K7QW2M9X");
  expect(await screen.findByText("Ada invites you to Remo Stars")).toBeInTheDocument();
  expect(asked[0]?.url.pathname).toBe("/api/v1/invites/code/K7QW2M9X");
  expect(asked[0]?.headers.get("Authorization")).toBeNull();
  expect(screen.getByText("Step 2 of 3")).toBeInTheDocument();

  const sent = await signUp(user, null);

  expect(sent[0]?.body).toMatchObject({ invite: "K7QW2M9X", club: REMO_STARS.id });
  // The server identifies the browser by an HttpOnly cookie.
  expect(sent[0]?.headers.get("X-Browser-Id")).toBeNull();
});

test("the club of an invite can be changed, and another invite brings its own", async () => {
  serve("get", "/api/v1/invites/code/:name", () => envelope(200, INVITER));
  const first = openApp("/signup?invite=K7QW2M9X");
  await first.user.click(await screen.findByRole("button", { name: "Change Remo Stars" }));
  await chooseClub(first.user, "Enyimba");
  first.unmount();

  const again = openApp("/signup?invite=K7QW2M9X");
  expect(await screen.findByRole("button", { name: "Change Enyimba" })).toBeInTheDocument();
  again.unmount();

  openApp("/signup?invite=OTHER234");
  expect(await screen.findByRole("button", { name: "Change Remo Stars" })).toBeInTheDocument();
});

test("a code that leads nowhere is no word worth, and its sign-up is one like any", async () => {
  serve("get", "/api/v1/invites/code/:name", () => refusal(404, "not_found", "Not found."));
  const { user } = openApp("/signup?invite=NOBODY22");
  expect(await screen.findByRole("radio", { name: "Enyimba" })).not.toBeChecked();
  expect(screen.queryByText(/invites you/)).toBeNull();
  expect(screen.queryByRole("alert")).toBeNull();
  expect((await signUp(user, "Enyimba"))[0]?.body).toMatchObject({ club: OWN_CLUB.id });
});

test("without an invite none is asked about or sent", async () => {
  const asked = serve("get", "/api/v1/invites/code/:name", () => envelope(200, INVITER));
  const { user } = openApp("/signup");
  expect((await signUp(user, "Enyimba"))[0]?.body).not.toHaveProperty("invite");
  expect(asked).toHaveLength(0);
});

test("the points page says how to invite friends and what came of it", async () => {
  servePoints();
  serve("get", "/api/v1/invites/:id", () => envelope(200, theInvite()));
  const { user } = openAppAsMember("/points");
  const panel = within(await screen.findByRole("region", { name: "Invite friends" }));
  expect(await panel.findByText("fans.example/i/K7QW2M9X")).toBeInTheDocument();
  expect(
    panel.getByText("You both get 10 points once your friend makes a payment or plays on 3 days."),
  ).toBeInTheDocument();
  expect(
    panel.getByText("2 of 5 rewarded this season · 1 joined, reward to come"),
  ).toBeInTheDocument();
  await user.click(panel.getByRole("button", { name: "Copy link" }));
  expect(await navigator.clipboard.readText()).toBe(theInvite().link);
});

test("an invite that did not come is asked for again", async () => {
  servePoints();
  serve("get", "/api/v1/invites/:id", () => refusal(503, "unavailable", "Not now."));
  const { user } = openAppAsMember("/points");
  const panel = within(await screen.findByRole("region", { name: "Invite friends" }));
  const again = await panel.findByRole("button", { name: "Try again" });
  serve("get", "/api/v1/invites/:id", () => envelope(200, theInvite({ pending: 0 })));
  await user.click(again);
  expect(await panel.findByText("2 of 5 rewarded this season")).toBeInTheDocument();
});
