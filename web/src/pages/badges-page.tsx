import { Badges } from "@/features/badges/badges";

export default function BadgesPage() {
  return <Badges />;
}
