import "@/components/placeholder-stories.css";
import { Link } from "react-router-dom";
import { Skeleton } from "@/components/skeleton";
import { StoryPicture } from "@/components/story-picture";
import { paths } from "@/lib/format/paths";

interface Story {
  slug: string;
  title: string;
  summary: string;
  picture: string | null;
}

/** Articles in a list, each with an excerpt and a link. */
export function StoryList({ stories }: { stories: readonly Story[] }) {
  return (
    <ul className="news-list">
      {stories.map(({ slug, title, summary, picture }) => (
        <li key={slug} className="news-item">
          <span className="news-picture">
            <StoryPicture src={picture} width={88} height={88} />
          </span>
          <div>
            <h3>{title}</h3>
            <p className="small muted">{summary}</p>
            <Link className="text-link small" to={paths.article(slug)}>
              Read More<span className="visually-hidden">: {title}</span>
            </Link>
          </div>
        </li>
      ))}
    </ul>
  );
}

/** Shown until the first answer. */
export function StoriesWaiting() {
  return (
    <div className="news-list" role="status" aria-label="Loading the news">
      {["first", "second"].map((each) => (
        <div key={each} className="news-item">
          <span className="news-picture">
            <Skeleton shape="block" />
          </span>
          <div>
            <Skeleton width="80%" />
            <Skeleton />
            <Skeleton width="60%" />
          </div>
        </div>
      ))}
    </div>
  );
}
