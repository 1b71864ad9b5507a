import "@/features/settings/settings.css";
import type { ReactNode } from "react";
import { AppPanel } from "@/features/settings/app-panel";
import { Devices } from "@/features/settings/devices";
import {
  AccountOptions,
  ContactPanel,
  type ContactProps,
  IdentityCard,
} from "@/features/settings/member-panels";
import { PushPanel } from "@/features/settings/push-panel";
import { YourData } from "@/features/settings/your-data";

interface SettingsProps extends ContactProps {
  /** How to invite friends. */
  invite: ReactNode;
  onSignOut: () => void;
}

/** The account's details, and the app's behaviour. */
export function Settings({ invite, onSignOut, ...contact }: SettingsProps) {
  return (
    <div className="settings">
      <IdentityCard />
      <div className="settings-column">
        <ContactPanel {...contact} />
        <AccountOptions />
        {invite}
      </div>
      <div className="settings-column">
        <AppPanel />
        <PushPanel />
        <Devices onSignOut={onSignOut} />
        <YourData />
      </div>
    </div>
  );
}
