import { Button } from "@/components/button";
import { Panel } from "@/components/panel";
import { SwitchChoice } from "@/components/switch-choice";
import { ThemeSwitch } from "@/components/theme-switch";
import {
  canVibrate,
  soundChoice,
  useFeedbackChoice,
  vibrationChoice,
  wantsStillness,
} from "@/lib/device/feedback";
import { useInstall } from "@/lib/device/install";
import { lowDataChoice, useLowData } from "@/lib/device/low-data";

/** Appearance and data use; both apply at once, in every tab. */
export function AppPanel() {
  return (
    <Panel title="This app">
      <div className="settings-choice">
        <div>
          <h3>Theme</h3>
          <p className="small muted">Auto follows your device.</p>
        </div>
        <ThemeSwitch />
      </div>
      <LowDataSwitch />
      <FeedbackSwitches />
      <Install />
    </Panel>
  );
}

/** Installs the app; nothing if the browser cannot, or it is installed. */
function Install() {
  const install = useInstall();
  return install === null ? null : (
    <div className="settings-choice">
      <div>
        <h3>On your home screen</h3>
        <p className="small muted">Opens like any other app, even offline.</p>
      </div>
      <Button variant="secondary" onClick={install}>
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

/** Sounds and vibration; a device that cannot vibrate has no switch for it. */
function FeedbackSwitches() {
  const hasSound = useFeedbackChoice(soundChoice);
  const hasVibration = useFeedbackChoice(vibrationChoice);
  return (
    <>
      <SwitchChoice
        title="Sound"
        note="Short tones for right and wrong answers and for a new rank."
        checked={hasSound}
        onChange={(isOn) => soundChoice.write(isOn)}
      />
      {canVibrate() ? (
        <SwitchChoice
          title="Vibration"
          note={
            wantsStillness()
              ? "Your device is set to reduce motion, so nothing vibrates."
              : "A short shake for right and wrong answers and for a new rank."
          }
          checked={hasVibration}
          onChange={(isOn) => vibrationChoice.write(isOn)}
        />
      ) : null}
    </>
  );
}
