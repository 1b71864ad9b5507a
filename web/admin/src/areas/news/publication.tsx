import type { RowOf } from "~/api/calls";
import { Action } from "~/parts/action";

type Article = RowOf<"GET /api/v1/admin/articles">;

const LABELS = { publishAt: "Publishes" };

/** The publication actions that apply now. */
export function Publication({ article }: { article: Article }) {
  const { state } = article;
  const steps = {
    call: "POST /api/v1/admin/articles/{article_id}/publish",
    inPath: { article_id: article.id },
    labels: LABELS,
  } as const;
  return (
    <div className="buttons">
      {state === "draft" || state === "withdrawn" ? (
        <Action
          {...steps}
          text="Publish"
          variant="primary"
          note="The saved version is published."
          hints={{ publishAt: "Lagos time; leave empty to publish immediately" }}
          current={article}
        />
      ) : null}
      {state === "scheduled" ? (
        <>
          {/* A past time means now; without one, a scheduled article keeps its own. */}
          <Action
            {...steps}
            text="Publish"
            variant="primary"
            note="It is published immediately."
            fixed={{ publishAt: article.createdAt }}
          />
          <Action {...steps} text="Save" button="Change the time" current={article} />
        </>
      ) : null}
      {state === "published" || state === "scheduled" ? (
        <Action
          call="POST /api/v1/admin/articles/{article_id}/withdraw"
          inPath={steps.inPath}
          text="Withdraw"
          variant="danger"
          note="Members no longer see it. It can be published again."
        />
      ) : null}
    </div>
  );
}
