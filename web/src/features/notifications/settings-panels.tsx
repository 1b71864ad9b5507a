import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { keys } from "@/api/query-keys";
import { usePushDialog } from "@/api/use-push-dialog";
import type { NotificationSettings, Switches } from "@/api/wire";
import { Loaded } from "@/components/loaded";
import { Panel } from "@/components/panel";
import { PushHere } from "@/components/push-here";
import { SkeletonOf } from "@/components/skeleton";
import { SwitchChoice } from "@/components/switch-choice";
import { chooseSettings, settingsQuery } from "@/features/notifications/api";
import type { Group } from "@/features/notifications/rules";
import { useMember } from "@/lib/session/session";
import { showFailure } from "@/lib/ui/show-failure";

const CHOICES: { group: Group; title: string; note: string }[] = [
  { group: "money", title: "Money", note: "Credits and refunds, at any hour." },
  { group: "orders", title: "Orders", note: "Paid, on their way, delivered." },
  { group: "plans", title: "Plans", note: "Before they end or renew." },
  { group: "community", title: "Community", note: "Your club, chats and moments." },
  { group: "games", title: "Games", note: "Promotions, quests, your place." },
  { group: "matches", title: "Matches", note: "An hour before kick-off." },
];

/** Mail and push preferences by topic; inside the app every notification is shown. */
export function SettingsPanels() {
  const { id } = useMember();
  const settings = useQuery(settingsQuery(id));
  const [chosen, choose] = useChosenSettings(id);
  const push = usePushDialog();
  return (
    <div className="notification-settings">
      {push.state === null && !push.isPending ? null : (
        <Panel title="Push">
          <PushHere {...push} />
          <Loaded query={settings} pending={<Waiting />}>
            {(known) => <Channel of="push" settings={chosen ?? known} onChoose={choose} />}
          </Loaded>
        </Panel>
      )}
      <Panel title="Email">
        <p className="muted">
          Everything is shown in the app. Emails that are not about money wait until morning.
        </p>
        <Loaded query={settings} pending={<Waiting />}>
          {(known) => <Channel of="mail" settings={chosen ?? known} onChoose={choose} />}
        </Loaded>
      </Panel>
    </div>
  );
}

interface ChannelProps {
  of: keyof NotificationSettings;
  settings: NotificationSettings;
  onChoose: (settings: NotificationSettings) => void;
}

function Channel({ of, settings, onChoose }: ChannelProps) {
  const switches: Switches = settings[of];
  return CHOICES.map(({ group, title, note }) => (
    <SwitchChoice
      key={group}
      title={title}
      note={note}
      checked={switches[group]}
      onChange={(isOn) => onChoose({ ...settings, [of]: { ...switches, [group]: isOn } })}
    />
  ));
}

function Waiting() {
  return (
    <SkeletonOf>
      {CHOICES.map(({ group, title, note }) => (
        <SwitchChoice
          key={group}
          title={title}
          note={note}
          checked={false}
          onChange={() => undefined}
        />
      ))}
    </SkeletonOf>
  );
}

/**
 * The optimistic choices, and a setter; null again after a failure.
 *
 * Choices are sent one after the other, and the last one wins.
 */
function useChosenSettings(userId: string) {
  const queryClient = useQueryClient();
  const [chosen, setChosen] = useState<NotificationSettings | null>(null);
  const { mutate } = useMutation({
    mutationFn: chooseSettings,
    scope: { id: "notification-settings" },
    onSuccess: (known) => queryClient.setQueryData(keys.notificationSettings(userId), known),
    onError: showFailure,
  });
  const choose = (settings: NotificationSettings) => {
    setChosen(settings);
    mutate(settings, { onError: () => setChosen(null) });
  };
  return [chosen, choose] as const;
}
