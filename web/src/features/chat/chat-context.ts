import type { Dispatch } from "react";
import type { ChatLine } from "@/features/chat/chat-line";
import type { ChatAction, ChatState, Tab } from "@/features/chat/chat-machine";
import type { SessionUser } from "@/lib/session/session";

/** The context shared by the hooks of the chat. */
export interface ChatContext {
  member: SessionUser;
  /** The rooms' names on the wire and on the tabs. */
  names: Record<Tab, string>;
  state: ChatState;
  dispatch: Dispatch<ChatAction>;
  line: React.RefObject<ChatLine | null>;
}
