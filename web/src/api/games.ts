import type { components } from "@/api/schema.gen";

type Schemas = components["schemas"];

export type BadgeSlug = string;

/** How the member stands in the club and on the ladder. */
export interface Standing {
  clubName: string;
  emblem: string;
  badge: BadgeSlug;
  points: number;
  cnt: number;
  clubRank: number | null;
  clubMembers: number;
  battlePoints: number;
  nextRank: string | null;
  pointsToNext: number | null;
  season: string | null;
}

export interface Statistics {
  ranking: Standing;
  leaderboard: Schemas["LeaderBoardRow"][];
  me: { rank: number | null; points: number };
}

export type BoardScope = "club" | "all";
export type BoardPeriod = "day" | "week" | "month" | "season";

export interface BoardRow {
  rank: number;
  firstname: string;
  lastname: string;
  name: string;
  emblem: string;
  points: number;
  me: boolean;
}

export interface BoardPage {
  scope: BoardScope;
  period: BoardPeriod;
  startsAt: string | null;
  endsAt: string | null;
  page: number;
  pageSize: number;
  total: number;
  rows: BoardRow[];
  me: { rank: number | null; points: number };
}

export interface PointsEntry {
  id: string;
  source: string;
  points: number;
  title: string;
  day: string;
  earnedAt: string;
}

export interface Plan {
  id: string;
  plan: string;
  amount: number;
  duration: number;
  period: "day" | "week" | "month" | "year";
  benefits: string;
  battleZone: boolean;
}

export interface BoughtPlan {
  subscriptionId: string;
  plan: string;
  startsAt: string;
  endsAt: string;
  credited: number;
}

export interface PlanStanding {
  isBattleZonePlan: boolean;
  subscriptionId: string | null;
  plan: string | null;
  startsAt: string | null;
  endsAt: string | null;
}

export interface TriviaQuestion {
  id: string;
  question: string;
  options: string;
}

export interface TriviaReview {
  id: string;
  question: string;
  options: string;
  chosen: string | null;
  right: string;
  explanation: string;
}

export interface TriviaAttempt {
  points: number | null;
  point: number | null;
  correct: number | null;
  total: number | null;
  day: string;
  streak: number;
  nextAt: string;
  serverNow: string;
  review: TriviaReview[];
}

export interface TriviaOutcome {
  point: number;
  points: number;
  correct: number;
  total: number;
  review: TriviaReview[];
  streak: number;
}

export interface BattleConfig {
  point_per_question: number;
  question_time_limit: number;
  questions_per_day: number;
  start_date: string;
  end_date: string;
  name: string;
  state: "upcoming" | "open" | "over";
  serverNow: string;
}

export interface BattleRank {
  rank: string;
  threshold_point: number;
  start_date: string | null;
  end_date: string | null;
}

interface Answered<Data> {
  200: { content: { "application/json": { data: Data } } };
}

interface Read<Data> {
  get: { parameters: { path?: never }; responses: Answered<Data> };
}

interface ReadOne<Data, InPath> {
  get: { parameters: { path: InPath }; responses: Answered<Data> };
}

interface Sent<Body, Data> {
  post: {
    requestBody: { content: { "application/json": Body } };
    responses: { 201: { content: { "application/json": { data: Data } } } };
  };
}

interface ClubAndMember {
  club: string;
  user_id: string;
}

declare module "@/api/schema.gen" {
  interface paths {
    "/api/v1/subscription": Read<Plan[]>;
    "/api/v1/users/subscription": Sent<{ subscriptionId: string; userId: string }, BoughtPlan>;
    "/api/v1/users/plan/validate/{user_id}": ReadOne<PlanStanding, { user_id: string }>;
    "/api/v1/question/daily-trivial-question/{club}/{user_id}": ReadOne<
      TriviaQuestion[],
      ClubAndMember
    >;
    "/api/v1/question/attempted-daily-trivial-question/{club}/{user_id}": ReadOne<
      TriviaAttempt,
      ClubAndMember
    >;
    "/api/v1/question/submit-trivia-question": Sent<
      { userId: string; clubId: string; choices: string },
      TriviaOutcome
    >;
    "/api/v1/leaderboard": Read<BoardPage>;
    "/api/v1/points/{user_id}": ReadOne<PointsEntry[], { user_id: string }>;
    "/api/v1/battle-ground-config": Read<BattleConfig | null>;
    "/api/v1/battlezone-rank-config": Read<BattleRank[]>;
  }
}
