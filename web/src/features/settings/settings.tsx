import "@/styles/settings.css";
import { AppPanel } from "@/features/settings/app-panel";
import { Devices } from "@/features/settings/devices";
import { AccountOptions, ContactPanel, IdentityCard } from "@/features/settings/member-panels";
import { YourData } from "@/features/settings/your-data";

interface SettingsProps {
  /** Where the member's latest order went; null where there is none. */
  address: string | null;
  onSignOut: () => void;
}

/** The account as it stands, and how the app behaves. */
export function Settings({ address, onSignOut }: SettingsProps) {
  return (
    <div className="settings">
      <IdentityCard />
      <div className="settings-column">
        <ContactPanel address={address} />
        <AccountOptions />
      </div>
      <div className="settings-column">
        <AppPanel />
        <Devices onSignOut={onSignOut} />
        <YourData />
      </div>
    </div>
  );
}
