export type Group = "money" | "orders" | "plans" | "community" | "games" | "matches";

/** What a notification is about, by how its kind's name begins; what is newer than this app, too. */
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
