import { infiniteQueryOptions, type QueryClient, queryOptions } from "@tanstack/react-query";
import { type Answer, get, post } from "@/api/client";
import type { FundingLimits, PreparedFunding, StatementRow, Verification } from "@/api/wire";
import { isFinalAnswer } from "@/lib/api-error";
import { attemptEnded, attemptKey } from "@/lib/attempts";

const ROWS_AT_ONCE = 20;
const id = encodeURIComponent;

export const walletKeys = {
  all: (userId: string) => ["wallet", userId] as const,
  balance: (userId: string) => [...walletKeys.all(userId), "balance"] as const,
  limits: (userId: string) => [...walletKeys.all(userId), "limits"] as const,
  statement: (userId: string) => [...walletKeys.all(userId), "statement"] as const,
};

/** The wallet's balance in naira. */
export function balanceQuery(userId: string) {
  return queryOptions({
    queryKey: walletKeys.balance(userId),
    queryFn: async ({ signal }) => {
      const path = `/api/v1/payment/wallet-balance/${id(userId)}`;
      return (await get<{ balance: number }>(path, { signal })).data.balance;
    },
  });
}

export function limitsQuery(userId: string) {
  return queryOptions({
    queryKey: walletKeys.limits(userId),
    queryFn: async ({ signal }) =>
      (await get<FundingLimits>("/api/v1/payment/funding-limits", { signal })).data,
  });
}

/** The statement, newest first, a page of rows at a time. */
export function statementQuery(userId: string) {
  return infiniteQueryOptions({
    queryKey: walletKeys.statement(userId),
    initialPageParam: "",
    queryFn: async ({ pageParam, signal }) => {
      const before = pageParam ? `&before=${id(pageParam)}` : "";
      const path = `/api/v1/payment/statement/${id(userId)}?limit=${ROWS_AT_ONCE}${before}`;
      return (await get<StatementRow[]>(path, { signal })).data;
    },
    getNextPageParam: (rows: StatementRow[]) =>
      rows.length < ROWS_AT_ONCE ? undefined : rows.at(-1)?.id,
  });
}

/** Prepare a funding; the same wish, asked again after a lost answer, prepares it once. */
export async function prepareFunding(
  userId: string,
  amount: number,
): Promise<Answer<PreparedFunding>> {
  const purpose = `funding:${userId}`;
  const body = { amount, userId };
  try {
    const answer = await post<PreparedFunding>("/api/v1/payment/prepare-wallet-funding", body, {
      idempotencyKey: attemptKey(purpose, body),
    });
    attemptEnded(purpose);
    return answer;
  } catch (error) {
    if (isFinalAnswer(error)) {
      attemptEnded(purpose);
    }
    throw error;
  }
}

/** Ask how a payment ended; the server asks the provider where it does not know yet. */
export async function verifyFunding(reference: string): Promise<Verification> {
  const path = `/api/v1/payment/verify-transaction/${id(reference)}`;
  return (await get<Verification>(path)).data;
}

/** Ask again for everything that a settled payment changes. */
export async function reloadMoney(queryClient: QueryClient, userId: string): Promise<void> {
  await Promise.all([
    queryClient.invalidateQueries({ queryKey: walletKeys.all(userId) }),
    queryClient.invalidateQueries({ queryKey: ["dashboard", userId] }),
  ]);
}
