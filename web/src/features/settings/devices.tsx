import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { LogOut, Monitor, Smartphone } from "lucide-react";
import { useState } from "react";
import { invalidateAfter } from "@/api/stale";
import type { DeviceSession } from "@/api/wire";
import { Button } from "@/components/button";
import { Loaded } from "@/components/loaded";
import { Modal } from "@/components/modal";
import { Panel } from "@/components/panel";
import { Skeleton } from "@/components/skeleton";
import { StatusBadge } from "@/components/status-badge";
import { devicesQuery, revokeOthers } from "@/features/settings/api";
import { plural } from "@/lib/format/counts";
import { formatMoment } from "@/lib/format/dates";
import { useMember } from "@/lib/session/session";
import { showFailure } from "@/lib/ui/show-failure";
import { showToast } from "@/lib/ui/toasts";

const ON_A_PHONE = /android|iphone|ipad|phone/i;

/** All sessions of the member, with buttons to sign out. */
export function Devices({ onSignOut }: { onSignOut: () => void }) {
  const { id } = useMember();
  const devices = useQuery(devicesQuery(id));
  const [asking, setAsking] = useState(false);
  const revoke = useRevoke(id, () => setAsking(false));
  const others = devices.data?.filter(({ current }) => !current).length ?? 0;
  return (
    <Panel title="Devices">
      <DeviceList devices={devices} />
      <div className="settings-actions">
        {others > 0 ? (
          <Button variant="secondary" onClick={() => setAsking(true)}>
            Sign out everywhere else
          </Button>
        ) : null}
        <Button variant="secondary" icon={<LogOut aria-hidden="true" />} onClick={onSignOut}>
          Sign out here
        </Button>
      </div>
      {asking ? (
        <Modal
          header="Sign out everywhere else?"
          submitText="Sign out"
          submitting={revoke.isPending}
          onClose={() => setAsking(false)}
          onSubmit={() => revoke.mutate()}
          content={
            <p>
              {plural(others, "The other device", `The ${others} other devices`)} will have to sign
              in again. You stay signed in here.
            </p>
          }
        />
      ) : null}
    </Panel>
  );
}

function DeviceList({ devices }: { devices: ReturnType<typeof useQuery<DeviceSession[]>> }) {
  return (
    <Loaded query={devices} pending={<DevicesSkeleton />}>
      {(known) => (
        <ul className="devices">
          {[...known].sort(thisOneFirst).map((device) => (
            <Device key={device.id} device={device} />
          ))}
        </ul>
      )}
    </Loaded>
  );
}

function DevicesSkeleton() {
  return (
    <div className="devices-waiting">
      <Skeleton width="60%" />
      <Skeleton width="80%" />
    </div>
  );
}

/** The sort is stable: the others stay as the server lists them, last used first. */
function thisOneFirst(a: DeviceSession, b: DeviceSession): number {
  return Number(b.current) - Number(a.current);
}

function Device({ device }: { device: DeviceSession }) {
  const Icon = ON_A_PHONE.test(device.device) ? Smartphone : Monitor;
  return (
    <li>
      <Icon aria-hidden="true" />
      <div>
        <p className="devices-name">
          {device.device}
          {device.current ? <StatusBadge tone="success" text="This device" /> : null}
        </p>
        <p className="small muted">Last seen {formatMoment(device.lastSeenAt)}</p>
        <p className="small muted">Signed in {formatMoment(device.startedAt)}</p>
      </div>
    </li>
  );
}

function useRevoke(userId: string, onDone: () => void) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: revokeOthers,
    onSuccess: async ({ message }) => {
      await invalidateAfter(queryClient, "devices-signed-out", userId);
      showToast("success", message);
      onDone();
    },
    onError: showFailure,
  });
}
