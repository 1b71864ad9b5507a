import { useMutation } from "@tanstack/react-query";
import { Download } from "lucide-react";
import { useState } from "react";
import { Button } from "@/components/button";
import { Panel } from "@/components/panel";
import { exportData } from "@/features/settings/api";
import { DeleteAccount } from "@/features/settings/delete-account";
import { saveAsJson } from "@/lib/device/save-as-file";
import { useMember } from "@/lib/session/session";
import { showFailure } from "@/lib/ui/show-failure";
import { showToast } from "@/lib/ui/toasts";

/** Data export and account deletion. */
export function YourData() {
  const { id } = useMember();
  const [leaving, setLeaving] = useState(false);
  const download = useMutation({
    mutationFn: () => exportData(id),
    onSuccess: (data) => {
      saveAsJson(data, data.exportedAt);
      showToast("success", "Your data is in your downloads.");
    },
    onError: showFailure,
  });
  return (
    <Panel title="Your data">
      <div className="settings-choice">
        <div>
          <h3>Download my data</h3>
          <p className="small muted">
            Everything we hold about you, in one file: profile, orders, wallet, points, battles,
            messages and moments.
          </p>
        </div>
        <Button
          variant="secondary"
          icon={<Download aria-hidden="true" />}
          busy={download.isPending}
          busyText="Collecting..."
          onClick={() => download.mutate()}
        >
          Download my data
        </Button>
      </div>
      <div className="settings-choice">
        <div>
          <h3>Delete my account</h3>
          <p className="small muted">For good. You will be asked for your password first.</p>
        </div>
        <Button variant="danger" className="settings-danger" onClick={() => setLeaving(true)}>
          Delete my account
        </Button>
      </div>
      {leaving ? <DeleteAccount onClose={() => setLeaving(false)} /> : null}
    </Panel>
  );
}
