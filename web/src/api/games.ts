import type {} from "@/api/schema.gen";

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
    "/api/v1/battle-ground-config": Read<BattleConfig | null>;
  }
}
