import { useQuery } from "@tanstack/react-query";
import { topNewsQuery } from "@/api/news";
import { Loaded } from "@/components/loaded";
import { Panel } from "@/components/panel";
import { PlaceholderStories } from "@/components/placeholder-stories";
import { StoriesWaiting, StoryList } from "@/components/story-list";
import { useMember } from "@/lib/session/session";

/** The newest two articles; placeholders until the first is published. */
export function TopNews() {
  const news = useQuery(topNewsQuery(useMember()));
  return (
    <Panel title="Top News" className="news-panel">
      <Loaded query={news} pending={<StoriesWaiting />}>
        {(stories) =>
          stories.length === 0 ? <PlaceholderStories /> : <StoryList stories={stories} />
        }
      </Loaded>
    </Panel>
  );
}
