import { Moments } from "@/features/moments/moments";

export default function PostsPage() {
  return <Moments />;
}
