import { Button } from "@/components/button";
import { Panel } from "@/components/panel";
import { SwitchChoice } from "@/components/switch-choice";
import { ThemeSwitch } from "@/components/theme-switch";
import { useInstall } from "@/lib/install";
import { lowDataChoice, useLowData } from "@/lib/low-data";

/** How the app looks and how much it fetches; both hold at once, and in every tab. */
export function AppPanel() {
  return (
    <Panel title="This app">
      <div className="settings-choice">
        <div>
          <h3>Theme</h3>
          <p className="small muted">Auto follows your phone.</p>
        </div>
        <ThemeSwitch />
      </div>
      <LowDataSwitch />
      <Install />
    </Panel>
  );
}

/** Puts the app among the phone's own; nothing where the browser cannot, or it is there already. */
function Install() {
  const install = useInstall();
  return install === null ? null : (
    <div className="settings-choice">
      <div>
        <h3>On your home screen</h3>
        <p className="small muted">Opens like any other app, also without a network.</p>
      </div>
      <Button look="secondary" onClick={install}>
        Install the app
      </Button>
    </div>
  );
}

function LowDataSwitch() {
  const sparesData = useLowData();
  return (
    <SwitchChoice
      title="Low data"
      note="No autoplay, small pictures, letters in place of faces. Videos load when you tap them."
      checked={sparesData}
      onChange={(isOn) => lowDataChoice.write(isOn)}
    />
  );
}
