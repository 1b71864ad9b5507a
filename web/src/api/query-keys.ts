declare const registered: unique symbol;

/** A query key from the registry below. The compiler accepts no others: see `Register`. */
export type RegisteredKey = readonly unknown[] & { readonly [registered]: true };

declare module "@tanstack/react-query" {
  interface Register {
    queryKey: RegisteredKey;
  }
}

const key = (...parts: unknown[]) => parts as unknown as RegisteredKey;

/** A member and their club, for data that also depends on the club, such as the quest. */
export interface Player {
  id: string;
  club: string;
}

/**
 * The keys of all queries; one key per shape of response.
 *
 * A key that starts with another belongs to it: invalidating the shorter one invalidates both.
 */
export const keys = {
  clubs: key("clubs"),
  codeChannels: key("code-channels"),
  banks: key("banks"),
  plans: key("plans"),
  ranks: key("ranks"),
  season: key("battle", "config"),

  products: key("products"),
  product: (id: string) => key("products", id),
  checkoutOptions: (userId: string) => key("checkout-options", userId),
  orders: (userId: string) => key("orders", userId),
  order: (userId: string, order: string) => key("orders", userId, order),

  dashboard: (userId: string) => key("dashboard", userId),
  statistics: (userId: string) => key("dashboard", userId, "statistics"),
  allDays: (userId: string) => key("dashboard", userId, "today"),
  today: ({ id, club }: Player) => key("dashboard", id, "today", club),
  allBoards: key("leaderboard"),
  boards: (userId: string) => key("leaderboard", userId),
  board: (userId: string, choice: object) => key("leaderboard", userId, choice),
  points: (userId: string) => key("points", userId),

  allQuests: key("trivia"),
  questions: ({ id, club }: Player) => key("trivia", "questions", id, club),
  attempts: (userId: string) => key("trivia", "attempt", userId),
  attempt: ({ id, club }: Player) => key("trivia", "attempt", id, club),

  wallet: (userId: string) => key("wallet", userId),
  balance: (userId: string) => key("wallet", userId, "balance"),
  fundingLimits: (userId: string) => key("wallet", userId, "limits"),
  statement: (userId: string, search: object) => key("wallet", userId, "statement", search),
  months: (userId: string) => key("wallet", userId, "months"),
  plan: (userId: string) => key("plan-valid", userId),
  planHistory: (userId: string) => key("plan-valid", userId, "history"),

  /** An inviter, by the code as typed. */
  inviter: (code: string) => key("inviter", code),
  invite: (userId: string) => key("invite", userId),
  badges: (userId: string) => key("badges", userId),
  profile: (userId: string) => key("profile", userId),
  legal: (userId: string) => key("legal", userId),
  devices: (userId: string) => key("sessions", userId),
  moments: (userId: string) => key("posts", userId),
  sharedMoments: ({ id, club }: Player) => key("posts", id, "shared", club),

  allNews: (userId: string) => key("news", userId),
  news: ({ id, club }: Player) => key("news", id, club),
  topNews: ({ id, club }: Player) => key("news", id, "top", club),
  article: ({ id, club }: Player, slug: string) => key("news", id, club, slug),

  allMatches: (userId: string) => key("matches", userId),
  matches: ({ id, club }: Player, whose: string, when: string) =>
    key("matches", id, "list", club, whose, when),
  reminder: (userId: string, matchId: string) => key("matches", userId, "reminder", matchId),
  match: (userId: string, matchId: string) => key("matches", userId, "one", matchId),
  form: (userId: string, clubId: string) => key("matches", userId, "form", clubId),
  competitions: (userId: string) => key("matches", userId, "competitions"),
  leagueTable: (userId: string, competition: string) =>
    key("matches", userId, "table", competition),
  predictions: (userId: string, state: string) => key("matches", userId, "predictions", state),
  predictionBoard: (userId: string, choice: object) =>
    key("leaderboard", userId, "predictions", choice),
  calendar: ({ id, club }: Player) => key("matches", id, "calendar", club),

  notifications: (userId: string) => key("notifications", userId, "list"),
  unreadNotifications: (userId: string) => key("notifications", userId, "unread"),
  pushOffer: (userId: string) => key("push", userId),
  notificationSettings: (userId: string) => key("notifications", userId, "settings"),

  chatUnread: (userId: string) => key("chat-unread", userId),
  chatPeople: (userId: string, room: string, name: string) =>
    key("chat-people", userId, room, name),
  allLastMessages: (userId: string) => key("chat-messages", userId),
  /** `room`: the club's id, or the public room's name. */
  lastMessages: (userId: string, room: string) => key("chat-messages", userId, room),
};
