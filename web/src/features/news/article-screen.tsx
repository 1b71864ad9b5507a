import "@/features/news/news.css";
import { useQuery } from "@tanstack/react-query";
import { ArrowLeft, Newspaper } from "lucide-react";
import { Link, useParams } from "react-router-dom";
import { articleQuery } from "@/api/news";
import type { NewsArticle } from "@/api/wire";
import { ArticleText } from "@/components/article-text";
import { buttonClasses } from "@/components/button";
import { EmptyState } from "@/components/empty-state";
import { Loaded } from "@/components/loaded";
import { ScreenSkeleton } from "@/components/screen-skeleton";
import { formatMoment } from "@/lib/format/dates";
import { paths } from "@/lib/format/paths";
import { useMember } from "@/lib/session/session";

/** One news article. */
export default function ArticleScreen() {
  const { slug = "" } = useParams();
  const asked = useQuery(articleQuery(useMember(), slug));
  return (
    <div className="article-screen">
      <Link className="text-link" to={paths.news}>
        <ArrowLeft aria-hidden="true" /> All news
      </Link>
      <Loaded query={asked} pending={<ScreenSkeleton />}>
        {(found) => (found === null ? <NoSuchArticle /> : <Story article={found} />)}
      </Loaded>
    </div>
  );
}

function Story({ article: { title, publishedAt, club, picture, html } }: { article: NewsArticle }) {
  return (
    <article className="card article-card" aria-label={title}>
      <h2>{title}</h2>
      <p className="small muted">
        <time dateTime={publishedAt}>{formatMoment(publishedAt)}</time>
        {club === null ? null : `, ${club}`}
      </p>
      {picture === null ? null : (
        <img className="article-picture" src={picture} alt="" width={640} height={360} />
      )}
      <ArticleText html={html} />
    </article>
  );
}

function NoSuchArticle() {
  return (
    <EmptyState
      icon={Newspaper}
      title="Article not found"
      action={
        <Link className={buttonClasses("secondary")} to={paths.news}>
          Back to the news
        </Link>
      }
    />
  );
}
