import "@/features/news/news.css";
import type { ReactNode } from "react";
import { Carousel } from "@/components/carousel";
import { Panel } from "@/components/panel";
import { PlaceholderStories } from "@/components/placeholder-stories";
import { sections } from "@/features/news/sections";

interface NewsProps {
  /** The club's leader board, beside the headlines. */
  leaderBoard: ReactNode;
}

/** What the news desk is going to fill, and the leader board, which is live. */
export function News({ leaderBoard }: NewsProps) {
  return (
    <div className="news">
      <div className="news-featured">
        <p className="muted">
          The news desk has not opened yet. What you see are placeholders for what it will write.
        </p>
        <h2>The paper to come</h2>
        <Carousel label="The paper to come" freeDrag className="news-carousel">
          {sections.map(({ icon: Icon, title, text }) => (
            <li key={title}>
              <article className="news-card">
                <span className="news-card-picture">
                  <Icon aria-hidden="true" />
                </span>
                <div>
                  <p className="news-sign">Placeholder</p>
                  <h3>{title}</h3>
                  <p className="small muted">{text}</p>
                </div>
              </article>
            </li>
          ))}
        </Carousel>
      </div>
      <Panel title="Today's Headlines" className="news-headlines">
        <PlaceholderStories />
      </Panel>
      {leaderBoard}
    </div>
  );
}
