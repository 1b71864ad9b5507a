import "~/areas/news/news.css";
import { useParams } from "react-router-dom";
import { Loaded } from "@/components/loaded";
import { Panel } from "@/components/panel";
import { ScreenSkeleton } from "@/components/screen-skeleton";
import { formatShortMoment } from "@/lib/format/dates";
import type { ResponseOf } from "~/api/calls";
import { ask } from "~/api/client";
import { useAnswer } from "~/api/queries";
import { MarkdownField } from "~/areas/news/markdown-field";
import { Publication } from "~/areas/news/publication";
import { Action } from "~/parts/action";
import { CLUB_CONTROL } from "~/parts/club-choice";
import { Facts } from "~/parts/facts";
import { ResourceForm } from "~/parts/resource-form";
import { StateBadge } from "~/parts/state-badge";

const CALL = "GET /api/v1/admin/articles/{article_id}";

type Article = ResponseOf<typeof CALL>;

/** An article: text with preview, picture and publication. */
export default function ArticlePage() {
  const { article = "" } = useParams();
  const inPath = { article_id: article };
  const asked = useAnswer(CALL, { inPath });
  return (
    <Loaded query={asked} pending={<ScreenSkeleton />}>
      {(found) => (
        <div className="office-columns">
          <Panel title={found.title} action={<StateBadge state={found.state} />}>
            <ResourceForm
              key={found.id}
              call="PATCH /api/v1/admin/articles/{article_id}"
              inPath={inPath}
              fields={["title", "club", "body"]}
              current={{ ...found }}
              reread={async () => ({ ...(await ask(CALL, { inPath })) })}
              labels={{ body: "Text" }}
              controls={{
                ...CLUB_CONTROL,
                body: (field) => <MarkdownField {...field} />,
              }}
            />
          </Panel>
          <div className="screen">
            <Panel title="Publication">
              <Facts
                facts={{
                  Publishes: found.publishAt === null ? null : formatShortMoment(found.publishAt),
                  Created: formatShortMoment(found.createdAt),
                  Address: `/news/${found.slug}`,
                }}
              />
              <Publication article={found} />
            </Panel>
            <Picture article={found} />
          </div>
        </div>
      )}
    </Loaded>
  );
}

function Picture({ article }: { article: Article }) {
  return (
    <Panel title="Picture">
      {article.picture === null ? (
        <p className="muted">None. Members see the club's colours.</p>
      ) : (
        <img className="article-picture" src={article.picture} alt="" />
      )}
      <div className="buttons">
        <Action
          call="POST /api/v1/admin/articles/{article_id}/picture"
          inPath={{ article_id: article.id }}
          text="Change picture"
          hints={{ file: "JPEG, PNG or WebP, at most 2 MB, landscape" }}
        />
      </div>
    </Panel>
  );
}
