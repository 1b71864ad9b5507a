import { get } from "@/api/client";
import type { components } from "@/api/schema.gen";

export type ReceiptKind = components["schemas"]["ReceiptKind"];

/** The address of a printable receipt; valid for ten minutes. */
export async function receiptPage(kind: ReceiptKind, name: string): Promise<string> {
  const inPath = { kind, name };
  return (await get("/api/v1/receipts/{kind}/{name}", { inPath })).data.pageUrl;
}
