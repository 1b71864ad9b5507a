import { aTriviaAttempt, noPlan, theSeason, theStatistics } from "@/test/factories";
import { envelope, serve } from "@/test/server";

/** Answer what the dashboard asks about the games: an open season, no plan, today's quest open. */
export function serveTheGames(): void {
  serve("get", "/api/v1/dashboard/statistics/:id", () => envelope(200, theStatistics()));
  serve("get", "/api/v1/users/plan/validate/:id", () => envelope(200, noPlan));
  serve("get", "/api/v1/battle-ground-config", () => envelope(200, theSeason()));
  serve("get", "/api/v1/question/attempted-daily-trivial-question/:club/:id", () =>
    envelope(200, aTriviaAttempt()),
  );
}
