import { useParams } from "react-router-dom";
import { OneMatch } from "@/features/matchday/one-match";

export default function MatchPage() {
  const { id = "" } = useParams();
  return <OneMatch matchId={id} />;
}
