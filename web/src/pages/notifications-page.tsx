import { Notifications } from "@/features/notifications/notifications";

export default function NotificationsPage() {
  return <Notifications />;
}
