export type Group = "money" | "orders" | "plans" | "community" | "games" | "matches";

/** A notification's topic, by the prefix of its kind; works for kinds newer than this app. */
export function groupOf(kind: string): Group {
  if (/^(wallet|refund)_/.test(kind)) {
    return "money";
  }
  if (/^(order|proof|transfer)_/.test(kind)) {
    return "orders";
  }
  if (/^(promotion|quest_open|overtaken)$/.test(kind)) {
    return "games";
  }
  if (kind.startsWith("fixture_")) {
    return "matches";
  }
  return kind.startsWith("plan_") ? "plans" : "community";
}
