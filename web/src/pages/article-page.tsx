import { useParams } from "react-router-dom";
import { Article } from "@/features/news/article";

export default function ArticlePage() {
  const { slug = "" } = useParams();
  return <Article slug={slug} />;
}
