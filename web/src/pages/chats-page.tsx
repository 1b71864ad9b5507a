import { Chats } from "@/features/chat/chats";

export default function ChatsPage() {
  return <Chats />;
}
