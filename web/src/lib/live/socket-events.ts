import { isRecord } from "@/lib/device/storage";

/** The server's acknowledgement of every event. */
export interface Acknowledgement {
  /** As in HTTP; 400 and above is a refusal. */
  status: number;
  message: string;
  /** The refusal's code; empty on success. */
  code: string;
  data: Record<string, unknown>;
}

/** Parse an acknowledgement; invalid data counts as a server error. */
export function readAcknowledgement(answer: unknown): Acknowledgement {
  const fields = isRecord(answer) ? answer : {};
  return {
    status: numberIn(fields, "status", 500),
    message: textIn(fields, "message"),
    code: textIn(fields, "code"),
    data: isRecord(fields["data"]) ? fields["data"] : {},
  };
}

export function textIn(fields: Record<string, unknown>, name: string): string {
  const value = fields[name];
  return typeof value === "string" ? value : "";
}

export function numberIn(fields: Record<string, unknown>, name: string, otherwise = 0): number {
  const value = fields[name];
  return typeof value === "number" && Number.isFinite(value) ? value : otherwise;
}
