import "@/features/news/news.css";
import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { newsQuery } from "@/api/news";
import type { NewsRow } from "@/api/wire";
import { Loaded } from "@/components/loaded";
import { Panel } from "@/components/panel";
import { PlaceholderStories } from "@/components/placeholder-stories";
import { StoriesWaiting, StoryList } from "@/components/story-list";
import { NewestNews, NewestWaiting, NewsToCome } from "@/features/news/featured";
import { headlinesOf } from "@/features/news/rules";
import { serverNowMs } from "@/lib/live/server-clock";
import { useMember } from "@/lib/session/session";

interface NewsProps {
  /** The club's leader board, beside the headlines. */
  leaderBoard: ReactNode;
}

/** Articles for the member's club and for all; before the first one, the planned sections. */
export function News({ leaderBoard }: NewsProps) {
  const news = useQuery(newsQuery(useMember()));
  return (
    <div className="news">
      <div className="news-featured">
        <Loaded query={news} pending={<NewestWaiting />}>
          {(stories) => (stories.length === 0 ? <NewsToCome /> : <NewestNews stories={stories} />)}
        </Loaded>
      </div>
      <Panel title="Today's Headlines" className="news-headlines">
        <Loaded query={news} pending={<StoriesWaiting />}>
          {(stories) => <Headlines stories={stories} />}
        </Loaded>
      </Panel>
      {leaderBoard}
    </div>
  );
}

function Headlines({ stories }: { stories: NewsRow[] }) {
  return stories.length === 0 ? (
    <PlaceholderStories />
  ) : (
    <StoryList stories={headlinesOf(stories, serverNowMs())} />
  );
}
