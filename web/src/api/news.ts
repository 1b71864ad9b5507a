import { queryOptions } from "@tanstack/react-query";
import { get } from "@/api/client";
import { keys, type Player } from "@/api/query-keys";
import type { NewsArticle, NewsRow } from "@/api/wire";
import { Refusal } from "@/lib/live/failures";

const AT_ONCE = 20;
const ON_HOME = 2;
const NOT_FOUND = 404;

/** The newest articles for all clubs and for the member's club, newest first. */
export function newsQuery(member: Player) {
  return queryOptions({
    queryKey: keys.news(member),
    queryFn: async ({ signal }): Promise<NewsRow[]> =>
      (await get("/api/v1/news", { inQuery: { limit: AT_ONCE }, signal })).data,
  });
}

/** The newest two articles, for Home. */
export function topNewsQuery(member: Player) {
  return queryOptions({
    queryKey: keys.topNews(member),
    queryFn: async ({ signal }): Promise<NewsRow[]> =>
      (await get("/api/v1/news", { inQuery: { limit: ON_HOME }, signal })).data,
  });
}

/** An article; null if it does not exist or no longer does. */
export function articleQuery(member: Player, slug: string) {
  return queryOptions({
    queryKey: keys.article(member, slug),
    queryFn: async ({ signal }): Promise<NewsArticle | null> => {
      try {
        return (await get("/api/v1/news/{slug}", { inPath: { slug }, signal })).data;
      } catch (error) {
        if (error instanceof Refusal && error.status === NOT_FOUND) {
          return null;
        }
        throw error;
      }
    },
  });
}
