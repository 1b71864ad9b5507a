import { EditingProfile } from "@/features/profile/editing-profile";

export default function ProfilePage() {
  return <EditingProfile />;
}
