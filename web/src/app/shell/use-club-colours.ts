import { useMember } from "@/lib/session/session";
import { usePageColours } from "@/lib/ui/use-page-colours";

/** Apply the colours of the member's club to the whole page while the shell is open. */
export function useClubColours(): void {
  usePageColours(useMember().clubColours ?? undefined);
}
