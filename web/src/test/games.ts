import { theStatistics, theToday } from "@/test/factories";
import { envelope, serve } from "@/test/server";

/** Handle the dashboard's calls about the games: today's quest is open. */
export function serveTheGames(): void {
  serve("get", "/api/v1/today", () => envelope(200, theToday()));
  serve("get", "/api/v1/dashboard/statistics/:id", () => envelope(200, theStatistics()));
}
