import { useNavigate } from "react-router-dom";
import { Action } from "~/parts/action";
import { CLUB_CONTROL } from "~/parts/club-choice";
import { ResourceList } from "~/parts/resource-list";

/** All articles, in any state. */
export default function ArticlesPage() {
  return (
    <ResourceList
      call="GET /api/v1/admin/articles"
      noun="article"
      empty="No articles"
      sortedBy={{ title: "Publishes", order: "desc" }}
      to={(article) => `/news/${article.id}`}
      beside={<NewArticle />}
      columns={[
        { title: "Title", value: (article) => article.title },
        { title: "For", value: (article) => article.club ?? "All clubs" },
        { title: "State", as: "state", value: (article) => article.state },
        { title: "Publishes", as: "moment", value: (article) => article.publishAt },
        { title: "Created", minor: true, as: "moment", value: (article) => article.createdAt },
      ]}
    />
  );
}

function NewArticle() {
  const navigate = useNavigate();
  return (
    <Action
      call="POST /api/v1/admin/articles"
      text="New article"
      variant="primary"
      note="It starts as a draft that members cannot see."
      fields={["title", "club"]}
      controls={CLUB_CONTROL}
      onDone={(outcome) => {
        if (!outcome.isProposed) {
          navigate(`/news/${outcome.data.id}`);
        }
      }}
    />
  );
}
