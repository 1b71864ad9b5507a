import type {
  BattleConfig,
  BattleRank,
  BattleToday,
  Club,
  Invite,
  Moment,
  Order,
  Plan,
  PlanState,
  Product,
  SharedMoment,
  SignedInUser,
  Statistics,
  Today,
  TriviaAttempt,
  TriviaQuestion,
} from "@/api/wire";
import type { PendingSignUp } from "@/features/auth/api";
import type { CartItem } from "@/lib/session/cart-store";
import type { SessionUser } from "@/lib/session/session";

export function aUser(change: Partial<SignedInUser> = {}): SignedInUser {
  return {
    id: "member-1",
    firstName: "Ada Grace",
    lastName: "Obi",
    email: "ada@example.com",
    phone: "+2348012345678",
    club: "club-1",
    clubName: "Enyimba",
    emblem: "/media/crests/club.svg",
    clubColours: ["#0A4DA2", "#FFFFFF"],
    avatar: null,
    badge: "super-fan",
    subscriptionId: null,
    ...change,
  };
}

export function aSession(change: Partial<SessionUser> = {}): SessionUser {
  return { ...aUser(), userToken: "token-of-ada", ...change };
}

export function aClub(name: string, group: string | null): Club {
  return {
    id: `club-${name}`,
    name,
    cc_name: group,
    emblem: "/media/crests/club.svg",
    colours: ["#0A6239", "#FFC62E"],
  };
}

export function theInvite(change: Partial<Invite> = {}): Invite {
  return {
    code: "K7QW2M9X",
    link: "https://fans.example/i/K7QW2M9X",
    pending: 1,
    rewarded: 2,
    cap: 5,
    pointsEach: 10,
    ...change,
  };
}

export function aProduct(change: Partial<Product> = {}): Product {
  return {
    id: "jersey",
    name: "Enyimba Home Jersey 2026",
    price: 15_000,
    description: "Cut for the terrace.",
    image: "/media/jersey.webp",
    thumbnail: "/media/jersey-small.webp",
    star: 9,
    available: 40,
    variants: [],
    ...change,
  };
}

export function aCartItem(change: Partial<CartItem> = {}): CartItem {
  const { variants: _, ...product } = aProduct();
  return { ...product, quantity: 1, ...change };
}

export function theStatistics(change: Partial<Statistics> = {}): Statistics {
  return {
    ranking: {
      clubName: "Enyimba",
      emblem: "/media/crests/club.svg",
      badge: "super-fan",
      points: 1452,
      cnt: 118,
      clubRank: 2,
      clubMembers: 64,
      battlePoints: 82,
      nextRank: "king-of-fans",
      pointsToNext: 38,
      season: "Harmattan Cup",
    },
    leaderboard: [
      { rank: 1, firstname: "Bello", lastname: "Musa", points: 2000, me: false, avatar: null },
      { rank: 2, firstname: "Ada Grace", lastname: "Obi", points: 1452, me: true, avatar: null },
    ],
    me: { rank: 2, points: 1452, offBoards: false },
    ...change,
  };
}

export function anOrder(change: Partial<Order> = {}): Order {
  return {
    id: "order-1",
    orderNumber: "FC-7K3Q9X",
    product_meta_data: [
      {
        line: 1,
        refundedQuantity: 0,
        id: "jersey",
        name: "Enyimba Home Jersey 2026",
        price: 15_000,
        thumbnail: "/media/jersey-small.webp",
        quantity: 1,
      },
    ],
    billing: { firstName: "Ada", lastName: "Obi", phone: "0801", address: "1 Aba Road" },
    status: "pending",
    is_paid: false,
    payment_method: "bank-transfer",
    total: 15_000,
    payBy: "2026-11-23T12:30:00Z",
    createdAt: "2026-11-20T12:30:00Z",
    ...change,
  };
}

export function aMoment(change: Partial<Moment> = {}): Moment {
  return {
    id: "moment-1",
    title: "The goal that took us up",
    content: "Ninetieth minute, and the whole terrace came down.",
    thumbnail: "/media/moments/goal.webp",
    video: "/media/moments/goal.mp4",
    videoType: "video/mp4",
    userId: "member-1",
    createdAt: "2026-11-20T12:30:00Z",
    ...change,
  };
}

export function aSharedMoment(change: Partial<SharedMoment> = {}): SharedMoment {
  return {
    id: "shared-1",
    title: "The drums before kick-off",
    content: "Gate four, as always.",
    thumbnail: "/media/moments/drums.webp",
    video: "/media/moments/drums.webm",
    videoBytes: 3_200_000,
    by: { id: "member-2", firstName: "Chioma", lastName: "Eze", avatar: null },
    applause: 4,
    applauded: false,
    mine: false,
    sharedAt: "2026-11-20T12:30:00Z",
    ...change,
  };
}

export function aPlan(change: Partial<Plan> = {}): Plan {
  return {
    id: "battle-pass",
    plan: "Battle Pass",
    amount: 1500,
    duration: 1,
    period: "month",
    benefits: "Battle Zone every day, Daily Quest,Club chat",
    battleZone: true,
    ...change,
  };
}

export function aPlanState(change: Partial<PlanState> = {}): PlanState {
  return {
    isBattleZonePlan: true,
    subscriptionId: "battle-pass",
    plan: "Battle Pass",
    startsAt: "2026-11-01T12:00:00Z",
    endsAt: "2026-12-01T12:00:00Z",
    state: "active",
    renews: false,
    graceEndsAt: null,
    gift: false,
    nextAmount: 1500,
    priceChange: null,
    ...change,
  };
}

export const noPlan: PlanState = {
  isBattleZonePlan: false,
  subscriptionId: null,
  plan: null,
  startsAt: null,
  endsAt: null,
  state: "none",
  renews: false,
  graceEndsAt: null,
  gift: false,
  nextAmount: null,
  priceChange: null,
};

/** An instant this many seconds from now, as the server writes it. */
export function inSeconds(seconds: number): string {
  return new Date(Date.now() + seconds * 1000).toISOString();
}

export function theSeason(change: Partial<BattleConfig> = {}): BattleConfig {
  return {
    point_per_question: 10,
    question_time_limit: 15,
    questions_per_day: 5,
    start_date: "2026-11-01T11:30:00Z",
    end_date: "2099-11-30T22:59:00Z",
    name: "Harmattan Cup",
    state: "open",
    serverNow: inSeconds(0),
    today: theDay(),
    ...change,
  };
}

/** A member's day in the zone: all five questions are left. */
export function theDay(change: Partial<BattleToday> = {}): BattleToday {
  return { state: "open", left: 5, of: 5, nextAt: inSeconds(36_000), ...change };
}

export const theRanks: BattleRank[] = [
  { rank: "rookie", threshold_point: 50, start_date: null, end_date: null },
  {
    rank: "super-fan",
    threshold_point: 120,
    start_date: "2026-11-10T08:00:00Z",
    end_date: "2026-11-20T19:00:00Z",
  },
];

/**
 * A member's day: the quest is open, the Battle Zone needs a plan, two matches can be predicted.
 */
export function theToday(change: Partial<Today> = {}): Today {
  return {
    day: "2026-11-25",
    serverNow: inSeconds(0),
    nextDayAt: inSeconds(36_000),
    action: { kind: "quest", path: "/trivia-questions", until: inSeconds(36_000) },
    doors: [
      { kind: "quest", state: "open", questions: 5, pointsEach: 5 },
      { kind: "battle", state: "locked" },
      { kind: "predict", state: "open", left: 2, closesAt: inSeconds(72_000) },
    ],
    me: {
      points: 1452,
      sources: [
        { source: "battle", points: 82 },
        { source: "trivia", points: 1370 },
      ],
      battlePoints: 82,
      badge: "super-fan",
      nextRank: "king-of-fans",
      rankAt: 120,
      clubRank: 2,
      clubMembers: 64,
      streak: { days: 3, best: 5, doneToday: false, freezesLeft: 1, frozenOn: [], ended: null },
    },
    nextMatch: null,
    live: [],
    celebrate: [],
    unread: { chat: 0, notifications: 0 },
    tourSeen: true,
    ...change,
  };
}

export function triviaQuestions(): TriviaQuestion[] {
  return ["first", "second", "third"].map((name) => ({
    id: name,
    question: `The ${name} question?`,
    options: JSON.stringify({ A: "Aba", B: "Benin", C: "Calabar", D: "Dutse" }),
  }));
}

export function aTriviaAttempt(change: Partial<TriviaAttempt> = {}): TriviaAttempt {
  return {
    points: null,
    point: null,
    correct: null,
    total: null,
    day: "2026-11-21",
    streak: 0,
    nextAt: inSeconds(3723),
    serverNow: inSeconds(0),
    review: [],
    ...change,
  };
}

/** A sign-up that waits for its code. */
export function aPendingSignUp(fields: Partial<PendingSignUp> = {}): PendingSignUp {
  return {
    email: "ada@example.com",
    phone: "•••• 5678",
    channel: "email",
    channels: ["email"],
    club: aClub("Enyimba", "NPFL"),
    ...fields,
  };
}
