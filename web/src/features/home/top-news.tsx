import { Panel } from "@/components/panel";
import { PlaceholderStories } from "@/components/placeholder-stories";

/** Two placeholders until articles are published. */
export function TopNews() {
  return (
    <Panel title="Top News" className="news-panel">
      <PlaceholderStories />
    </Panel>
  );
}
