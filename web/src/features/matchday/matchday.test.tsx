import { act, screen, waitFor, within } from "@testing-library/react";
import { beforeEach, expect, test, vi } from "vitest";
import type { Match } from "@/api/wire";
import { dayOf } from "@/lib/format/dates";
import { shellSockets } from "@/test/fake-socket";
import { aMatch, anId, aTeam } from "@/test/matches";
import { openAppAsMember } from "@/test/render";
import { envelope, refusal, serve } from "@/test/server";

const HOUR_MS = 3_600_000;

const played = (number: number, change: Partial<Match> = {}) =>
  aMatch(number, {
    state: "finished",
    goals: { home: 2, away: 1 },
    kickOffAt: new Date(Date.now() - number * HOUR_MS).toISOString(),
    ...change,
  });

let matches: Match[] = [];

beforeEach(() => {
  shellSockets.length = 0;
  matches = [played(30), played(20), aMatch(40), aMatch(41)];
  serve("get", "/api/v1/push/key", () => envelope(200, { publicKey: null }));
  serve("get", "/api/v1/fixtures/:id/reminder", () => envelope(200, { remind: false }));
  serve("get", "/api/v1/fixtures", () => envelope(200, matches));
  serve("get", "/api/v1/fixtures/:id", ({ url }) =>
    envelope(200, matches.find(({ id }) => url.pathname.endsWith(id)) ?? null),
  );
});

/** The first and the last requested day, counted from today. */
const daysOf = (url: URL) =>
  ["from", "to"].map((name) => {
    const day = Date.parse(url.searchParams.get(name) ?? "");
    return Math.round((day - Date.parse(dayOf(Date.now()))) / (24 * HOUR_MS));
  });

async function connected() {
  await waitFor(() => expect(shellSockets.filter(({ closed }) => !closed)).toHaveLength(1));
  const socket = shellSockets.find(({ closed }) => !closed);
  await act(async () => socket?.emitToClient("connect"));
  return socket as (typeof shellSockets)[number];
}

function update(match: Match, change: object) {
  const { id, version, state, phaseStartedAt, half, goals, kickOffAt } = match;
  return {
    id,
    version,
    what: "goal",
    state,
    phaseStartedAt,
    half,
    goals,
    kickOffAt,
    serverNow: new Date().toISOString(),
    ...change,
  };
}

test("what is to come stands under Fixtures, the nearest first, and what was played under Results", async () => {
  const { user } = openAppAsMember("/calendar");

  const links = await screen.findAllByRole("link", { name: /Enyimba against Kano Pillars/ });
  expect(links.map((link) => link.getAttribute("href"))).toEqual([
    `/match/${anId(40)}`,
    `/match/${anId(41)}`,
  ]);
  const own = [...(links[0]?.querySelectorAll(".is-own") ?? [])];
  expect(own.map(({ textContent }) => textContent)).toEqual([expect.stringMatching(/Enyimba$/)]);
  expect(links[0]).toHaveTextContent("NPFL · Round 4 · Demo season");
  await user.click(screen.getByRole("radio", { name: "Results" }));

  const results = await screen.findAllByRole("link", {
    name: "Enyimba 2, Kano Pillars 1, Full time",
  });
  expect(results.map((link) => link.getAttribute("href"))).toEqual([
    `/match/${anId(20)}`,
    `/match/${anId(30)}`,
  ]);
});

test("a club without matches is told so, and all clubs' are a press away", async () => {
  const asked = serve("get", "/api/v1/fixtures", ({ url }) =>
    envelope(200, url.searchParams.get("club") === "all" ? [aMatch(40)] : []),
  );
  const { user } = openAppAsMember("/calendar");

  expect(await screen.findByText("Your club has no fixtures yet")).toBeInTheDocument();
  await user.click(screen.getByRole("radio", { name: "All clubs" }));

  expect(await screen.findByRole("link", { name: /Enyimba against/ })).toBeInTheDocument();
  expect(asked[0]?.url.searchParams.get("club")).toBeNull();
});

test("one press looks on until it finds matches, and says where there are no more", async () => {
  const kickOffAt = new Date(Date.now() + 130 * 24 * HOUR_MS).toISOString();
  const asked = serve("get", "/api/v1/fixtures", ({ url }) => {
    const [from = 0, to = 0] = daysOf(url);
    const inSpan = from <= 130 && 130 <= to ? [aMatch(42, { kickOffAt })] : [];
    return envelope(200, from <= 0 ? matches : inSpan);
  });
  const { user } = openAppAsMember("/calendar");
  await waitFor(() =>
    expect(screen.getAllByRole("link", { name: /Enyimba against/ })).toHaveLength(2),
  );

  await user.click(screen.getByRole("button", { name: "Show later" }));
  await waitFor(() =>
    expect(screen.getAllByRole("link", { name: /Enyimba against/ })).toHaveLength(3),
  );
  await user.click(screen.getByRole("button", { name: "Show later" }));

  expect(await screen.findByText("No more fixtures are announced.")).toBeInTheDocument();
  expect(screen.queryByRole("button", { name: "Show later" })).toBeNull();
  expect(asked.map(({ url }) => daysOf(url)[0])).toEqual([-1, 58, 117, 176, 235]);
});

test("of all clubs two weeks come at once, and later and earlier ones are a press away", async () => {
  const asked = serve("get", "/api/v1/fixtures", () => envelope(200, matches));
  const { user } = openAppAsMember("/calendar?club=all");
  await screen.findAllByRole("link", { name: /Enyimba against/ });
  matches = [aMatch(42)];

  await user.click(screen.getByRole("button", { name: "Show later" }));
  await waitFor(() =>
    expect(screen.getAllByRole("link", { name: /Enyimba against/ })).toHaveLength(3),
  );
  matches = [played(20)];
  await user.click(screen.getByRole("radio", { name: "Results" }));
  await screen.findByRole("link", { name: /Full time/ });
  matches = [played(40)];
  await user.click(screen.getByRole("button", { name: "Show earlier" }));

  const results = await waitFor(() => {
    const links = screen.getAllByRole("link", { name: /Full time/ });
    expect(links).toHaveLength(2);
    return links;
  });
  expect(results.map((link) => link.getAttribute("href"))).toEqual([
    `/match/${anId(20)}`,
    `/match/${anId(40)}`,
  ]);
  expect(new Set(asked.map(({ url }) => daysOf(url).join(" to ")))).toEqual(
    new Set(["-1 to 12", "13 to 26", "-13 to 0", "-27 to -14"]),
  );
});

test("the table opens with the own club's competition, whatever was looked at before", async () => {
  const other = { id: anId(91), name: "Premier League", season: "2026/27" };
  const own = { id: anId(90), name: "NPFL", season: "2026/27" };
  serve("get", "/api/v1/competitions", () =>
    envelope(
      200,
      [other, own].map((one) => ({ ...one, demo: true, table: true })),
    ),
  );
  serve("get", "/api/v1/competitions/:id/table", () => envelope(200, []));
  openAppAsMember("/calendar?club=all&show=table");

  const table = within(await screen.findByRole("region", { name: "NPFL" }));
  expect(
    await table.findByText("No table yet. It fills with the first results."),
  ).toBeInTheDocument();
});

test("the file for other calendars has the dates that are shown", async () => {
  serve("get", "/api/v1/calendar", () =>
    envelope(200, [
      {
        id: anId(40),
        kind: "fixture",
        title: "Enyimba v Kano Pillars",
        startsAt: aMatch(40).kickOffAt,
        endsAt: null,
        state: "scheduled",
        path: `/match/${anId(40)}`,
      },
    ]),
  );
  const asked = serve("get", "/api/v1/calendar/export", () => new Response("BEGIN:VCALENDAR"));
  const { user } = openAppAsMember("/calendar?show=dates");

  await user.click(await screen.findByRole("button", { name: "Add to my calendar" }));

  await waitFor(() => expect(asked.map(({ url }) => daysOf(url))).toEqual([[0, 118]]));
});

test("a goal is on the screen as it is told, an older word is not", async () => {
  const running = aMatch(40, {
    state: "live",
    goals: { home: 0, away: 0 },
    phaseStartedAt: new Date(Date.now() - 5 * 60_000).toISOString(),
    half: 1,
    kickOffAt: new Date(Date.now() - 5 * 60_000).toISOString(),
    version: 4,
  });
  matches = [running];
  openAppAsMember("/calendar");
  await screen.findByRole("link", { name: "Enyimba 0, Kano Pillars 0, 6'" });
  const socket = await connected();
  matches = [{ ...running, goals: { home: 1, away: 0 }, version: 5 }];

  await act(async () =>
    socket.emitToClient(
      "fixture_update",
      update(running, { version: 5, goals: { home: 1, away: 0 } }),
    ),
  );
  expect(
    await screen.findByRole("link", { name: "Enyimba 1, Kano Pillars 0, 6'" }),
  ).toBeInTheDocument();
  await act(async () =>
    socket.emitToClient(
      "fixture_update",
      update(running, { version: 4, goals: { home: 0, away: 0 } }),
    ),
  );

  expect(screen.getByRole("link", { name: "Enyimba 1, Kano Pillars 0, 6'" })).toBeInTheDocument();
});

test("of all clubs, what may kick off while somebody looks is watched, too", async () => {
  matches = [aMatch(2), aMatch(90)];
  openAppAsMember("/calendar?club=all");
  await screen.findAllByRole("link", { name: /Enyimba against/ });

  const socket = await connected();

  const watched = socket.sent.filter(({ event }) => event === "watch_fixtures");
  expect(watched.at(-1)?.content).toEqual({ ids: [`${anId(2)}`] });
});

test("after a correction that names no scorer no goals are listed that do not add up", async () => {
  matches = [played(20, { goals: { home: 3, away: 1 }, scored: [{ side: "home", minute: 12 }] })];
  openAppAsMember(`/match/${anId(20)}`);

  const card = await screen.findByRole("region", { name: "Enyimba against Kano Pillars" });

  expect(within(card).queryByRole("listitem")).toBeNull();
});

test("a match of another club is watched while its screen is open, anew after each connection", async () => {
  openAppAsMember(`/match/${anId(40)}`);
  await screen.findByRole("heading", { name: "Kano Pillars" });

  const socket = await connected();

  const watched = socket.sent.filter(({ event }) => event === "watch_fixtures");
  expect(watched.at(-1)?.content).toEqual({ ids: [anId(40)] });
});

test("a match tells its goals and what was predicted", async () => {
  matches = [
    played(20, {
      scored: [
        { side: "home", minute: 12 },
        { side: "away", minute: 70 },
        { side: "home", minute: 88 },
      ],
      prediction: {
        home: 2,
        away: 1,
        points: 10,
        outcome: "exact",
        savedAt: new Date().toISOString(),
      },
      crowd: { home: 61, draw: 20, away: 19, count: 1204 },
    }),
  ];
  openAppAsMember(`/match/${anId(20)}`);

  const card = await screen.findByRole("region", { name: "Enyimba against Kano Pillars" });
  expect(within(card).getByRole("status")).toHaveTextContent(/2 to –1\s*Full time/);
  expect(
    within(card)
      .getAllByRole("listitem")
      .map((row) => row.textContent),
  ).toEqual(["12' Enyimba", "70' Kano Pillars", "88' Enyimba"]);
  const predicted = screen.getByRole("region", { name: "Your prediction" });
  expect(predicted).toHaveTextContent(/You predicted 2–1 · 10 points\s*Exact: \+10 points/);
  expect(screen.getByText(/1,204 fans predicted: Enyimba 61%/)).toBeInTheDocument();
  expect(screen.getByRole("link", { name: "Club chat" })).toHaveAttribute("href", "/chats");
  expect(screen.queryByRole("button", { name: "Add to my calendar" })).toBeNull();
});

test("a match to come is saved for the phone's calendar", async () => {
  serve("get", "/api/v1/fixtures/:id/export", () => new Response("BEGIN:VCALENDAR\r\n"));
  const click = vi.spyOn(HTMLAnchorElement.prototype, "click").mockImplementation(() => undefined);
  URL.createObjectURL = () => "blob:match";
  URL.revokeObjectURL = () => undefined;
  const { user } = openAppAsMember(`/match/${anId(40)}`);

  await user.click(await screen.findByRole("button", { name: "Add to my calendar" }));

  await waitFor(() => expect(click).toHaveBeenCalled());
  expect((click.mock.contexts[0] as HTMLAnchorElement).download).toBe("match.ics");
});

test("after the whistle it is asked until the points are counted", async () => {
  const open = {
    home: 2,
    away: 1,
    points: null,
    outcome: "pending",
    savedAt: new Date().toISOString(),
  } as const;
  const ended = played(20, { prediction: open });
  matches = [ended];
  openAppAsMember(`/match/${anId(20)}`);
  expect(await screen.findByText("Counting the points")).toBeInTheDocument();

  matches = [{ ...ended, prediction: { ...open, points: 10, outcome: "exact" } }];

  expect(await screen.findByText("Exact: +10 points")).toBeInTheDocument();
});

test("a match that is not there leads back to all", async () => {
  serve("get", "/api/v1/fixtures/:id", () => refusal(404, "not_found", "Nothing here."));
  openAppAsMember(`/match/${anId(40)}`);

  expect(await screen.findByText("Match not found")).toBeInTheDocument();
  expect(screen.getByRole("link", { name: "All matches" })).toHaveAttribute("href", "/calendar");
});

test("the table is the own competition's, names what its columns are, and marks the own club", async () => {
  const other = {
    id: anId(91),
    name: "Premier League",
    season: "2026/27",
    demo: false,
    table: true,
  };
  serve("get", "/api/v1/competitions", () => envelope(200, [other, { ...aMatch(1).competition }]));
  serve("get", "/api/v1/competitions/:id/table", ({ url }) =>
    envelope(
      200,
      url.pathname.includes(anId(90))
        ? [
            {
              position: 1,
              team: aTeam("Enyimba", 50),
              played: 3,
              won: 2,
              drawn: 1,
              lost: 0,
              for: 5,
              against: 2,
              difference: 3,
              points: 7,
            },
          ]
        : [],
    ),
  );
  const { user } = openAppAsMember("/calendar?show=table");

  const table = await screen.findByRole("table");
  const row = within(table).getByRole("row", { name: /Enyimba/ });
  expect(row).toHaveClass("is-me");
  expect(within(table).getByTitle("Goal difference")).toBeInTheDocument();
  await user.selectOptions(screen.getByLabelText("Competition"), "Premier League, 2026/27");

  expect(await screen.findByText(/No table yet/)).toBeInTheDocument();
});

test("all dates stand in one list, and without one the screen says when they come", async () => {
  let dates: object[] = [
    {
      id: "season",
      kind: "season",
      title: "Season 1",
      startsAt: "2026-11-22T09:00:00.000Z",
      endsAt: "2026-12-22T09:00:00.000Z",
      state: "upcoming",
      path: "/battle-zone",
    },
  ];
  serve("get", "/api/v1/calendar", () => envelope(200, dates));
  const first = openAppAsMember("/calendar?show=dates");
  expect(await screen.findByRole("link", { name: /Season 1/ })).toHaveAttribute(
    "href",
    "/battle-zone",
  );
  first.unmount();
  dates = [];

  openAppAsMember("/calendar?show=dates");

  expect(
    await screen.findByText("No dates yet. Fixtures appear here when they are announced."),
  ).toBeInTheDocument();
});

test("a list that does not load can be asked for again", async () => {
  let isDown = true;
  serve("get", "/api/v1/fixtures", () =>
    isDown ? refusal(500, "internal", "Please try again.") : envelope(200, matches),
  );
  const { user } = openAppAsMember("/calendar");
  const again = await screen.findByRole("button", { name: /again/i });
  isDown = false;

  await user.click(again);

  await waitFor(() =>
    expect(screen.getAllByRole("link", { name: /Enyimba against/ })).toHaveLength(2),
  );
});

test("a match that is to come is reminded of with one press, and not with another", async () => {
  let remind = false;
  const path = "/api/v1/fixtures/:id/reminder";
  serve("get", path, () => envelope(200, { remind }));
  const answer = (isOn: boolean) => {
    remind = isOn;
    return envelope(200, { remind });
  };
  const put = serve("put", path, () => answer(true));
  const gone = serve("delete", path, () => answer(false));
  const { user } = openAppAsMember(`/match/${anId(40)}`);
  const button = await screen.findByRole("button", { name: "Remind me" });
  expect(button).toHaveAttribute("aria-pressed", "false");

  await user.click(button);
  expect(await screen.findByText("We will remind you an hour before kick-off.")).toBeVisible();
  expect(button).toHaveAttribute("aria-pressed", "true");
  await user.click(button);

  await waitFor(() => expect(button).toHaveAttribute("aria-pressed", "false"));
  expect([put.length, gone.length]).toEqual([1, 1]);
});

test("a match at a club's ground shows it, one of other teams shows none", async () => {
  const home = { ...aTeam("Enyimba", 50), clubId: anId(7) };
  serve("get", "/api/v1/fixtures/:id", () => envelope(200, { ...aMatch(40), home }));
  const { container, unmount } = openAppAsMember(`/match/${anId(40)}`);
  await waitFor(() =>
    expect(container.querySelector(".match-ground img")).toHaveAttribute(
      "src",
      `/media/grounds/${anId(7)}.svg`,
    ),
  );

  unmount();
  serve("get", "/api/v1/fixtures/:id", () => envelope(200, aMatch(41)));
  const other = openAppAsMember(`/match/${anId(41)}`);
  await screen.findByRole("region", { name: "Enyimba against Kano Pillars" });
  expect(other.container.querySelector(".match-ground")).toBeNull();
});

test("a match is surrounded by its table, and by the form of both sides", async () => {
  const home = { ...aTeam("Enyimba", 50), clubId: anId(7) };
  const away = { ...aTeam("Kano Pillars", 51), clubId: anId(8) };
  const row = { played: 3, won: 1, drawn: 1, lost: 1, for: 4, against: 3, difference: 1 };
  const scores = [
    { home: 2, away: 1 },
    { home: 0, away: 0 },
    { home: 1, away: 3 },
  ];
  matches = [aMatch(40, { home, away })];
  serve("get", "/api/v1/clubs", () =>
    envelope(200, [{ id: anId(7), name: "Enyimba", colours: ["#0A4DA2", "#FFFFFF"] }]),
  );
  const asked = serve("get", "/api/v1/fixtures", () =>
    envelope(
      200,
      scores.map((goals, index) => played(30 - index, { home, away, goals })),
    ),
  );
  serve("get", "/api/v1/competitions/:id/table", () =>
    envelope(200, [
      { position: 1, team: away, points: 6, ...row },
      { position: 2, team: aTeam("Remo Stars", 52), points: 5, ...row },
      { position: 3, team: home, points: 4, ...row },
    ]),
  );
  const { container } = openAppAsMember(`/match/${anId(40)}`);

  const form = await screen.findByRole("region", { name: "Enyimba, last results" });
  expect(within(form).getByRole("heading")).toHaveTextContent("EnyimbaWWon DDrawn LLost");
  expect(
    within(form)
      .getAllByRole("link")
      .map((link) => link.getAttribute("aria-label")),
  ).toEqual([
    "Enyimba 1, Kano Pillars 3, Full time",
    "Enyimba 0, Kano Pillars 0, Full time",
    "Enyimba 2, Kano Pillars 1, Full time",
  ]);
  const other = screen.getByRole("region", { name: "Kano Pillars, last results" });
  expect(within(other).getByRole("heading")).toHaveTextContent("LLost DDrawn WWon");
  const marked = [...container.querySelectorAll(".league-table .is-me")];
  expect(marked.map((each) => each.querySelector("th")?.textContent)).toEqual([
    expect.stringMatching(/Kano Pillars$/),
    expect.stringMatching(/Enyimba$/),
  ]);
  await waitFor(() =>
    expect(container.querySelector(".slants-left .slant-shade")).toHaveAttribute("fill", "#0A4DA2"),
  );
  expect(container.querySelector(".slants-right .slant-shade")).not.toHaveAttribute("fill");
  expect(asked.map(({ url }) => url.searchParams.get("club"))).toEqual([anId(7), anId(8)]);
});

test("the time to a kick-off counts down on its match, and ends with it", async () => {
  const { unmount } = openAppAsMember(`/match/${anId(40)}`);
  expect(await screen.findByText(/^in 1 day 1[56] h$/)).toBeInTheDocument();

  unmount();
  openAppAsMember(`/match/${anId(20)}`);
  await screen.findByText("Full time");
  expect(screen.queryByText(/^in \d/)).toBeNull();
});

test("a table that cannot be read says so beside the match, and can be asked for again", async () => {
  matches = [aMatch(40)];
  serve("get", "/api/v1/competitions/:id/table", () => refusal(503, "unavailable", "Not now."));
  const { user } = openAppAsMember(`/match/${anId(40)}`);
  const retry = await screen.findByRole("button", { name: "Try again" });

  serve("get", "/api/v1/competitions/:id/table", () =>
    envelope(200, [
      { position: 1, team: aTeam("Remo Stars", 52), points: 5, played: 3, won: 1, drawn: 1 },
    ]),
  );
  await user.click(retry);

  expect(await screen.findByRole("rowheader", { name: /Remo Stars/ })).toBeInTheDocument();
});
