/** The shapes on the wire, named for the screens that use them. */

export interface SignedInUser {
  id: string;
  firstName: string;
  lastName: string;
  email: string;
  phone: string;
  club: string;
  clubName: string;
  emblem: string | null;
  clubColours: [string, string];
  avatar: string | null;
  badge: string;
  subscriptionId: string | null;
}

export interface SignInAnswer {
  user: SignedInUser;
  access_token: string;
}

export interface Club {
  id: string;
  name: string;
  cc_name: string | null;
  emblem: string | null;
  colours: [string, string];
}

export interface Statistics {
  ranking: {
    clubName: string;
    emblem: string | null;
    badge: string;
    points: number;
    cnt: number;
    clubRank: number | null;
    clubMembers: number;
  };
  leaderboard: LeaderBoardRow[];
  me: { rank: number | null; points: number };
}

export interface LeaderBoardRow {
  rank: number;
  firstname: string;
  lastname: string;
  points: number;
  me: boolean;
}

export interface StatementRow {
  id: string;
  kind: string;
  reference: string;
  amount: number;
  balanceAfter: number;
  createdAt: string;
}

export interface PreparedFunding {
  gateway: string;
  access_code: string;
  redirectURL: string;
  link: string;
  reference: string;
  checkout?: Record<string, string> | null;
}

export interface FundingLimits {
  minimum: number;
  maximum: number;
  dailyMaximum: number;
  remainingToday: number;
}

export interface Verification {
  status: "success" | "failed" | "pending";
  amount: number;
}

export interface Product {
  id: string;
  name: string;
  price: number;
  description: string;
  image: string;
  thumbnail: string;
  star: number;
  available: number;
}

export interface TransferDetails {
  accountName: string;
  accountNumber: string;
  bank: string;
  instructions: string;
}

export interface CheckoutOptions {
  bankTransfer: TransferDetails | null;
}

export interface Billing {
  firstName: string;
  lastName: string;
  phone: string;
  address: string;
}

export type PaymentMethod = "wallet" | "bank-transfer";

export interface PlacedOrder {
  orderNumber: string;
  orderId: string;
  total: number;
}

/** What has changed about a cart line since it was filled (409). */
export interface ChangedLine {
  id: string;
  name: string;
  price: number;
  quantity: number;
  available: number;
}

export interface OrderedProduct {
  id: string;
  name: string;
  price: number;
  thumbnail: string;
  quantity: number;
}

export interface Order {
  id: string;
  orderNumber: string;
  product_meta_data: OrderedProduct[];
  billing: Billing;
  status: string;
  is_paid: boolean;
  payment_method: string;
  total: number;
  createdAt: string;
}
