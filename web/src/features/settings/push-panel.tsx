import { Link } from "react-router-dom";
import { usePushDialog } from "@/api/use-push-dialog";
import { Panel } from "@/components/panel";
import { PushHere } from "@/components/push-here";
import { paths } from "@/lib/format/paths";

/** Push in this browser; hidden if the server does not push. */
export function PushPanel() {
  const push = usePushDialog();
  return push.state === null && !push.isPending ? null : (
    <Panel title="Push">
      <p className="small muted">
        Also while the app is closed.{" "}
        <Link to={paths.notifications}>Choose what is pushed and mailed</Link>
      </p>
      <PushHere {...push} />
    </Panel>
  );
}
