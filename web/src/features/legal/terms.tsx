import { useQuery } from "@tanstack/react-query";
import { useSyncExternalStore } from "react";
import { useLocation } from "react-router-dom";
import { legalQuery } from "@/features/legal/api";
import { NewTermsDialog } from "@/features/legal/new-terms-dialog";
import { NewTermsNotice } from "@/features/legal/new-terms-notice";
import { storedValue } from "@/lib/device/storage";
import { paths } from "@/lib/format/paths";
import { useMember } from "@/lib/session/session";
import { useTurn } from "@/lib/ui/use-turn";

/**
 * Where nothing is asked: timed games are not interrupted, and in the settings a member who does
 * not agree can take their data and leave.
 */
const NOT_HERE: readonly string[] = [paths.trivia, paths.battleZone, paths.settings];

/** The member and the version of the last notice that was closed. */
const noticeClosed = storedValue<string>("terms-notice", (stored) =>
  typeof stored === "string" ? stored : null,
);

/** Asks the member to accept new terms, or tells them, as the operator chose. */
export default function Terms() {
  const { id } = useMember();
  const { pathname } = useLocation();
  const { data } = useQuery(legalQuery(id));
  const closed = useSyncExternalStore(noticeClosed.subscribe, noticeClosed.read);
  const isNew = data !== undefined && data.accepted !== data.current;
  const isHere = isNew && !NOT_HERE.includes(pathname);
  const mayAsk = useTurn(isHere && data.mustAccept);
  if (!isHere) {
    return null;
  }
  if (data.mustAccept) {
    return mayAsk ? <NewTermsDialog version={data.current} /> : null;
  }
  const notice = `${id} ${data.current}`;
  return closed === notice ? null : <NewTermsNotice onClose={() => noticeClosed.write(notice)} />;
}
