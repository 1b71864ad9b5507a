import "@/features/legal/terms.css";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { Link } from "react-router-dom";
import { keys } from "@/api/query-keys";
import { signOut } from "@/api/sign-out";
import { Button } from "@/components/button";
import { Modal } from "@/components/modal";
import { acceptTerms, legalQuery } from "@/features/legal/api";
import { LegalLinks } from "@/features/legal/legal-links";
import { paths } from "@/lib/format/paths";
import { messageOf, Refusal } from "@/lib/live/failures";
import { useMember } from "@/lib/session/session";

/** Asks for the acceptance of a new version; nothing else can be done before, except in Settings. */
export function NewTermsDialog({ version }: { version: string }) {
  const { id } = useMember();
  const queryClient = useQueryClient();
  const accept = useMutation({
    mutationFn: () => acceptTerms(version),
    onSuccess: (state) => queryClient.setQueryData(legalQuery(id).queryKey, state),
    onError: (error) => {
      if (error instanceof Refusal) {
        void queryClient.invalidateQueries({ queryKey: keys.legal(id) });
      }
    },
  });
  return (
    <Modal
      header="Our terms have changed"
      footer={false}
      locked
      onClose={() => undefined}
      onSubmit={() => accept.mutate()}
      content={
        <>
          <p>Please read them and accept them to continue. They open in a new tab.</p>
          <LegalLinks />
          {accept.isError ? (
            <p className="field-error" role="alert">
              {messageOf(accept.error)}
            </p>
          ) : null}
          <div className="terms-actions">
            <Button variant="secondary" onClick={signOut}>
              Sign out
            </Button>
            <Button type="submit" data-first-focus busy={accept.isPending} busyText="Saving...">
              I accept
            </Button>
          </div>
          <p className="small muted">
            You do not agree? In <Link to={paths.settings}>Settings</Link> you can download your
            data and delete your account.
          </p>
        </>
      }
    />
  );
}
