const DAY_MS = 24 * 60 * 60 * 1000;
const AT_LEAST = 4;

/** The articles of the last 24 hours, newest first; without any, the newest four. */
export function headlinesOf<Row extends { publishedAt: string }>(
  news: readonly Row[],
  nowMs: number,
): Row[] {
  const ofToday = news.filter(({ publishedAt }) => Date.parse(publishedAt) > nowMs - DAY_MS);
  return ofToday.length > 0 ? ofToday : news.slice(0, AT_LEAST);
}
