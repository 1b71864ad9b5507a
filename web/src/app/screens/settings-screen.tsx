import { useQuery } from "@tanstack/react-query";
import { signOut } from "@/api/sign-out";
import { InvitePanel } from "@/features/invites/invite-panel";
import { Settings } from "@/features/settings/settings";
import { ordersQuery } from "@/features/shop/api";
import { useMember } from "@/lib/session/session";

export default function SettingsScreen() {
  const { id } = useMember();
  const { data: orders, isError } = useQuery(ordersQuery(id));
  const addresses = orders?.map(({ billing }) => billing["address"]);
  return (
    <Settings
      address={addresses && (addresses.find(isText) ?? null)}
      addressFailed={isError}
      invite={<InvitePanel />}
      onSignOut={signOut}
    />
  );
}

function isText(value: unknown): value is string {
  return typeof value === "string" && value !== "";
}
