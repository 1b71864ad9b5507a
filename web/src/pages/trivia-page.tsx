import { Trivia } from "@/features/trivia/trivia";

export default function TriviaPage() {
  return <Trivia />;
}
