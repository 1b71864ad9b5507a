import "@/components/status-area.css";
import { RotateCw, WifiOff, X } from "lucide-react";
import { type ReactNode, useState } from "react";
import { type Reach, useReach } from "@/lib/device/online";
import { formatSince } from "@/lib/format/dates";
import { type LinkStatus, type OldData, useReports } from "@/lib/ui/status";

const SENTENCES: Record<Reach, string | null> = {
  online: null,
  offline: "You are offline.",
  unanswered: "The server is not responding.",
};

interface StatusAreaProps {
  /** The area has a place of its own; elsewhere it lies over the top of the screen. */
  reserved?: boolean;
  /** Shown while there is nothing to say about the connection. */
  children?: ReactNode;
}

/**
 * The one area below the header for the network, the screen's connection, and the age of data.
 *
 * Its height is fixed, so that it never moves what the member reads or is about to tap.
 */
export function StatusArea({ reserved = false, children }: StatusAreaProps) {
  const reach = useReach();
  const { links, oldData } = useReports();
  const link = links.at(-1);
  const sentence = sentenceOf(reach, link);
  const isQuiet = sentence === null && oldData.length === 0;
  return (
    <div className={reserved ? "status-area is-reserved" : "status-area"} role="status">
      {isQuiet ? (
        children
      ) : (
        <StatusLine
          key={sentence}
          sentence={sentence}
          oldData={oldData}
          reconnect={reach === "online" ? link?.reconnect : undefined}
          canHide={!reserved}
        />
      )}
    </div>
  );
}

function sentenceOf(reach: Reach, link: LinkStatus | undefined): string | null {
  if (link === undefined || reach === "unanswered") {
    return SENTENCES[reach];
  }
  return reach === "offline" ? (link.offline ?? link.text) : link.text;
}

interface StatusLineProps {
  sentence: string | null;
  oldData: readonly OldData[];
  reconnect: (() => void) | undefined;
  canHide: boolean;
}

function StatusLine({ sentence, oldData, reconnect, canHide }: StatusLineProps) {
  const [isHidden, setHidden] = useState(false);
  if (isHidden) {
    return null;
  }
  return (
    <div className={sentence === null ? "status-line" : "status-line is-urgent"}>
      {sentence === null ? null : <WifiOff aria-hidden="true" />}
      <p>
        {sentence === null ? null : <span>{sentence}</span>}{" "}
        {oldData.length === 0 ? null : <span>As of {formatSince(oldest(oldData))}</span>}
      </p>
      {oldData.length === 0 ? null : (
        <IconButton label="Refresh" icon={RotateCw} onClick={() => refresh(oldData)} />
      )}
      {reconnect === undefined ? null : (
        <button type="button" className="status-action" onClick={reconnect}>
          Reconnect
        </button>
      )}
      {canHide ? <IconButton label="Hide" icon={X} onClick={() => setHidden(true)} /> : null}
    </div>
  );
}

interface IconButtonProps {
  label: string;
  icon: typeof X;
  onClick: () => void;
}

function IconButton({ label, icon: Icon, onClick }: IconButtonProps) {
  return (
    <button
      type="button"
      className="icon-button"
      aria-label={label}
      title={label}
      onClick={onClick}
    >
      <Icon aria-hidden="true" />
    </button>
  );
}

function oldest(oldData: readonly OldData[]): number {
  return Math.min(...oldData.map(({ updatedAt }) => updatedAt));
}

function refresh(oldData: readonly OldData[]): void {
  for (const each of oldData) {
    each.refresh();
  }
}
