import { ApiError } from "@/lib/api-error";

/** What the dashboard says when the statistics did not come (spec 8). */
export function statisticsError(error: Error): string {
  return error instanceof ApiError
    ? `HTTP error! Status: ${error.status}, Message: ${error.statusText || error.message}`
    : error.message;
}
