import { useQuery } from "@tanstack/react-query";
import { signOut } from "@/api/sign-out";
import { Settings } from "@/features/settings/settings";
import { ordersQuery } from "@/features/shop/api";
import { useMember } from "@/lib/session";

export default function SettingsPage() {
  const { id } = useMember();
  const { data: orders, isError } = useQuery(ordersQuery(id));
  const addresses = orders?.map(({ billing }) => billing["address"]);
  return (
    <Settings
      address={addresses && (addresses.find(isText) ?? null)}
      addressFailed={isError}
      onSignOut={signOut}
    />
  );
}

function isText(value: unknown): value is string {
  return typeof value === "string" && value !== "";
}
