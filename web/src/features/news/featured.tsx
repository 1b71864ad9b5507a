import { Link } from "react-router-dom";
import type { NewsRow } from "@/api/wire";
import { Carousel } from "@/components/carousel";
import { Skeleton } from "@/components/skeleton";
import { StoryPicture } from "@/components/story-picture";
import { sections } from "@/features/news/sections";
import { formatMoment } from "@/lib/format/dates";
import { paths } from "@/lib/format/paths";

const IN_THE_CAROUSEL = 6;

/** The newest articles as a carousel. */
export function NewestNews({ stories }: { stories: NewsRow[] }) {
  return (
    <>
      <p className="muted">The latest from your club and from football, newest first.</p>
      <h2>Latest news</h2>
      <Carousel label="Latest news" freeDrag className="news-carousel">
        {stories.slice(0, IN_THE_CAROUSEL).map(({ slug, title, summary, picture, publishedAt }) => (
          <li key={slug}>
            <article className="news-card">
              <span className="news-card-picture">
                <StoryPicture src={picture} width={640} height={360} />
              </span>
              <div>
                <time className="small muted" dateTime={publishedAt}>
                  {formatMoment(publishedAt)}
                </time>
                <h3>{title}</h3>
                <p className="small muted">{summary}</p>
                <Link className="text-link small" to={paths.article(slug)}>
                  Read More<span className="visually-hidden">: {title}</span>
                </Link>
              </div>
            </article>
          </li>
        ))}
      </Carousel>
    </>
  );
}

/** The sections that the news desk will fill. */
export function NewsToCome() {
  return (
    <>
      <p className="muted">There is no news yet. These are placeholders for what is to come.</p>
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
    </>
  );
}

/** Shown until the first answer; as high as the content. */
export function NewestWaiting() {
  return (
    <div className="news-featured" role="status" aria-label="Loading the latest news">
      <p>
        <Skeleton width="70%" />
      </p>
      <h2>Latest news</h2>
      <div className="carousel news-carousel">
        <div className="carousel-viewport">
          <ul className="carousel-track">
            {["first", "second", "third"].map((each) => (
              <li key={each}>
                <div className="news-card">
                  <span className="news-card-picture" />
                  <div>
                    <Skeleton width="50%" />
                    <Skeleton />
                    <Skeleton width="80%" />
                  </div>
                </div>
              </li>
            ))}
          </ul>
        </div>
      </div>
    </div>
  );
}
