import type { Match } from "@/api/wire";

const HOUR_MS = 3_600_000;

/** An id that ends with a two-digit number. */
export const anId = (number: number) =>
  `0199f2a4-0000-7000-8000-0000000000${String(number).padStart(2, "0")}`;

/** A team with a name. */
export function aTeam(name: string, number: number) {
  return { teamId: anId(number), clubId: null, name, emblem: null };
}

/** A match of Enyimba against Kano Pillars, this many hours from now. */
export function aMatch(number: number, change: Partial<Match> = {}): Match {
  const kickOffAt = new Date(Date.now() + number * HOUR_MS).toISOString();
  const { state = "scheduled" } = change;
  return {
    id: anId(number),
    competition: { id: anId(90), name: "NPFL", season: "2026/27", demo: true, table: true },
    round: "Round 4",
    home: aTeam("Enyimba", 50),
    away: aTeam("Kano Pillars", 51),
    kickOffAt,
    venue: "Aba",
    state,
    phaseStartedAt: null,
    half: null,
    goals: null,
    scored: [],
    version: 1,
    updatedAt: new Date().toISOString(),
    closesAt: state === "scheduled" ? kickOffAt : null,
    prediction: null,
    crowd: null,
    ...change,
  };
}
