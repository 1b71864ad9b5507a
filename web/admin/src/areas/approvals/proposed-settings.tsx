import "~/parts/json.css";
import { isRecord } from "@/lib/device/storage";
import type { RowOf } from "~/api/calls";
import { useMay } from "~/api/operator";
import { useAnswer } from "~/api/queries";
import { formatValue } from "~/lib/format-value";
import { labelOf } from "~/lib/words";

type Approval = RowOf<"GET /api/v1/admin/approvals">;

const SETTINGS = "GET /api/v1/admin/settings";
export const TRANSFER_ACCOUNT = "transfer-account";
export const RAISE_LIMITS = "raise-limits";

/** Whether a proposal changes settings. */
export function changesSettings({ kind }: Approval): boolean {
  return kind === TRANSFER_ACCOUNT || kind === RAISE_LIMITS;
}

interface Change {
  name: string;
  now: unknown;
  proposed: unknown;
}

/** The settings that a proposal changes: each as it is now, or was before, and as proposed. */
export function ProposedSettings({ approval }: { approval: Approval }) {
  const isOpen = approval.state === "open";
  const mayRead = useMay(SETTINGS);
  const { data } = useAnswer(SETTINGS, {}, { enabled: isOpen && mayRead });
  const before = isOpen ? data : approval.result?.["before"];
  return (
    <dl className="json">
      {changesOf(approval, before).map(({ name, now, proposed }) => (
        <div key={name}>
          <dt>{labelOf(name)}</dt>
          <dd>
            {now === undefined ? null : (
              <>
                {formatValue(name, now)} {isOpen ? "now" : "before"},{" "}
              </>
            )}
            <strong>{formatValue(name, proposed)}</strong> proposed
          </dd>
        </div>
      ))}
    </dl>
  );
}

/** What is null in a proposal stays; the account is compared line by line. */
function changesOf({ kind, content }: Approval, before: unknown): Change[] {
  const isAccount = kind === TRANSFER_ACCOUNT;
  const proposed = isAccount ? content["transferAccount"] : content;
  const now = isAccount ? accountIn(before) : before;
  const pairs = Object.entries(isRecord(proposed) ? proposed : {});
  return pairs
    .filter(([, value]) => value !== null)
    .map(([name, value]) => ({ name, proposed: value, now: valueIn(now, name) }));
}

/** The account of the settings, or of what approving has answered; there may be none. */
function accountIn(before: unknown): unknown {
  return isRecord(before) && "transferAccount" in before ? before["transferAccount"] : before;
}

/** Undefined while nothing is known; null where nothing was set. */
function valueIn(values: unknown, name: string): unknown {
  if (isRecord(values)) {
    return values[name];
  }
  return values === null ? null : undefined;
}
