import type { components } from "@/api/schema.gen";

type Schemas = components["schemas"];

/** The wire types of the description, under the names that the screens use. */
export type SignedInUser = Schemas["SessionUser"];
export type Profile = Schemas["Profile"];
export type LegalState = Schemas["LegalState"];
export type Bank = Schemas["BankAnswer"];
export type DeviceSession = Schemas["SessionAnswer"];
export type Club = Schemas["ClubAnswer"];
export type Invite = Schemas["InviteAnswer"];
export type Inviter = Schemas["InviterAnswer"];
export type Statistics = Schemas["Statistics"];
export type BoardPage = Schemas["LeaderBoard"];
export type BoardScope = BoardPage["scope"];
export type BoardPeriod = BoardPage["period"];
export type BoardRow = Schemas["ChallengerRow"];
export type PointsEntry = Schemas["PointRow"];
export type BattleRank = Schemas["RankRow"];
export type BattleConfig = Schemas["BattleConfig"];
export type BattleToday = Schemas["BattleToday"];
export type Plan = Schemas["PlanAnswer"];
export type BoughtPlan = Schemas["SubscribeAnswer"];
export type PlanState = Schemas["CurrentPlan"];
export type PlanPeriod = Schemas["PeriodAnswer"];
export type TriviaQuestion = Schemas["TriviaQuestion"];
export type TriviaReview = Schemas["ReviewedQuestion"];
export type TriviaAttempt = Schemas["DailyAttempt"];
export type TriviaOutcome = Schemas["SubmitAnswer"];
export type LeaderBoardRow = Schemas["LeaderBoardRow"];
export type StatementRow = Schemas["StatementRow"];
export type MonthOfWallet = Schemas["MonthRow"];
export type PreparedFunding = Schemas["PreparedFunding"];
export type FundingLimits = Schemas["FundingLimitsAnswer"];
export type Verification = Schemas["FundingOutcome"];
export type Product = Schemas["ProductAnswer"];
export type TransferDetails = Schemas["TransferInstructions"];
export type ProductVariant = Schemas["VariantAnswer"];
export type StateFee = Schemas["StateFee"];
export type SavedAddress = Schemas["SavedAddressAnswer"];
/** A shipping address as typed; an empty state means none. */
export type BillingForm = Record<"firstName" | "lastName" | "phone" | "address" | "state", string>;
export type PaymentMethod = Schemas["PaymentMethod"];
export type PlacedOrder = Schemas["CheckoutAnswer"];
export type OrderedProduct = Schemas["OrderedProduct"];
export type Order = Schemas["OrderAnswer"];
export type OrderDetail = Schemas["OrderDetail"];
export type OrderEvent = Schemas["OrderEventAnswer"];
export type TransferProof = Schemas["TransferProofAnswer"];
export type UploadedProof = Schemas["ProofUploaded"];
export type CancelledOrder = Schemas["CancelledOrder"];
export type Match = Schemas["FixtureAnswer"];
export type OwnPrediction = Schemas["OwnPrediction"];
export type PredictionRow = Schemas["PredictionRow"];
export type PredictionPeriod = Schemas["PredictionPeriod"];
export type PredictionBoardRow = Schemas["PredictorRow"];
export type MatchState = Schemas["FixtureState"];
export type MatchTeam = Schemas["TeamAnswer"];
export type Competition = Schemas["CompetitionAnswer"];
export type LeagueRow = Schemas["TableRow"];
export type CalendarDate = Schemas["CalendarDate"];
export type NewsRow = Schemas["NewsRow"];
export type NewsArticle = Schemas["NewsArticle"];
export type Notification = Schemas["NotificationAnswer"];
export type NotificationKind = Notification["kind"];
export type NotificationList = Schemas["NotificationList"];
export type Switches = Schemas["Switches"];
export type NotificationSettings = Schemas["NotificationSettings"];
export type Today = Schemas["TodayAnswer"];
export type TodayAction = Today["action"];
export type Tile = Today["doors"][number];
export type Streak = Schemas["StreakAnswer"];
export type Celebration = Schemas["Celebration"];
export type MemberBadge = Schemas["BadgeAnswer"];
export type RoomState = Schemas["RoomStanding"];
export type ReportReason = Schemas["ReportReason"];
export type ReactionKey = Schemas["ReactionKey"];
export type Moment = Schemas["MomentAnswer"];
export type SharedMoment = Schemas["SharedMoment"];
export type Applause = Schemas["Applause"];

/** The change of a cart line since it was filled: the data of a refused checkout (409). */
export interface ChangedLine {
  id: string;
  /** Null for a product unknown to the shop. */
  name: string | null;
  price: number | null;
  quantity: number;
  available: number;
  /** For products with sizes. */
  variantId?: string;
  size?: string;
}
