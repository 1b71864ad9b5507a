import { infiniteQueryOptions, queryOptions } from "@tanstack/react-query";
import type { Answer } from "@/api/calls";
import { get, getFile, post } from "@/api/client";
import { keys } from "@/api/query-keys";
import type { PreparedFunding, Verification } from "@/api/wire";
import { asQuery, type StatementSearch } from "@/features/wallet/statement-search";
import { once } from "@/lib/session/idempotency-keys";

const ROWS_AT_ONCE = 20;
const MONTHS = 12;

/** The wallet's balance in naira, and the member's debt. */
export function balanceQuery(userId: string) {
  return queryOptions({
    queryKey: keys.balance(userId),
    queryFn: async ({ signal }) => {
      const inPath = { user_id: userId };
      const path = "/api/v1/payment/wallet-balance/{user_id}";
      return (await get(path, { inPath, signal })).data;
    },
  });
}

export function limitsQuery(userId: string) {
  return queryOptions({
    queryKey: keys.fundingLimits(userId),
    queryFn: async ({ signal }) => (await get("/api/v1/payment/funding-limits", { signal })).data,
  });
}

/** The statement, newest first, one page of rows at a time. */
export function statementQuery(userId: string, search: StatementSearch) {
  return infiniteQueryOptions({
    queryKey: keys.statement(userId, search),
    initialPageParam: "",
    queryFn: async ({ pageParam, signal }) => {
      const inPath = { user_id: userId };
      const inQuery = {
        ...asQuery(search),
        limit: ROWS_AT_ONCE,
        before: pageParam || undefined,
      };
      const path = "/api/v1/payment/statement/{user_id}";
      return (await get(path, { inPath, inQuery, signal })).data;
    },
    getNextPageParam: (rows) => (rows.length < ROWS_AT_ONCE ? undefined : rows.at(-1)?.id),
  });
}

/** The statement as a file, oldest first. */
export async function downloadStatement(userId: string, search: StatementSearch): Promise<Blob> {
  const path = "/api/v1/payment/statement/{user_id}/csv";
  return getFile(path, { inPath: { user_id: userId }, inQuery: asQuery(search) });
}

/** The sums in and out of the latest months, oldest first. */
export function monthsQuery(userId: string) {
  return queryOptions({
    queryKey: keys.months(userId),
    queryFn: async ({ signal }) => {
      const inPath = { user_id: userId };
      const path = "/api/v1/payment/statement/{user_id}/months";
      return (await get(path, { inPath, inQuery: { limit: MONTHS }, signal })).data;
    },
  });
}

/** Prepare a funding; a repeat after a lost response prepares it once. */
export async function prepareFunding(
  userId: string,
  amount: number,
  gateway?: string,
): Promise<Answer<PreparedFunding>> {
  const purpose = `funding:${userId}`;
  const body = gateway === undefined ? { amount, userId } : { amount, userId, gateway };
  return once(purpose, body, (idempotencyKey) =>
    post("/api/v1/payment/prepare-wallet-funding", body, { idempotencyKey }),
  );
}

/** Cancel a checkout that the member closed, so that it does not use up the day's limit. */
export async function cancelFunding(reference: string): Promise<void> {
  await post("/api/v1/payment/cancel-funding", { reference });
}

/** Get a payment's outcome; the server asks the provider if it does not know yet. */
export async function verifyFunding(reference: string): Promise<Verification> {
  const path = "/api/v1/payment/verify-transaction/{reference}";
  return (await get(path, { inPath: { reference } })).data;
}
