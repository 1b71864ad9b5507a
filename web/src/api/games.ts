import type {} from "@/api/schema.gen";

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

interface Answered<Data> {
  200: { content: { "application/json": { data: Data } } };
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
  }
}
