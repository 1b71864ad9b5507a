import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { keys } from "@/api/query-keys";
import type { Switches } from "@/api/wire";
import { Loaded } from "@/components/loaded";
import { Panel } from "@/components/panel";
import { Skeleton } from "@/components/skeleton";
import { SwitchChoice } from "@/components/switch-choice";
import { chooseMail, mailSwitchesQuery } from "@/features/notifications/api";
import type { Group } from "@/features/notifications/rules";
import { useMember } from "@/lib/session";
import { tellFailure } from "@/lib/tell-failure";

const CHOICES: { group: Group; title: string; note: string }[] = [
  { group: "money", title: "Money", note: "Credits and refunds, at any hour." },
  { group: "orders", title: "Orders", note: "Paid, on their way, delivered." },
  { group: "plans", title: "Plans", note: "Before they end or renew." },
  { group: "community", title: "Community", note: "Your club, chats and moments." },
  { group: "games", title: "Games", note: "Promotions, quests, your place." },
  { group: "matches", title: "Matches", note: "An hour before kick-off." },
];

/** Of what the member wants mail; here they are told of everything. */
export function MailPanel() {
  const { id } = useMember();
  const switches = useQuery(mailSwitchesQuery(id));
  const [chosen, choose] = useChosenMail(id);
  return (
    <Panel title="Mail">
      <p className="muted">
        Here you are told of everything. Mail that is not about money waits from 10 pm to 7 am.
      </p>
      <Loaded asked={switches} pending={<Waiting />}>
        {(known) => <MailSwitches mail={chosen ?? known} onChoose={choose} />}
      </Loaded>
    </Panel>
  );
}

interface SwitchesProps {
  mail: Switches;
  onChoose: (mail: Switches) => void;
}

function MailSwitches({ mail, onChoose }: SwitchesProps) {
  return CHOICES.map(({ group, title, note }) => (
    <SwitchChoice
      key={group}
      title={title}
      note={note}
      checked={mail[group]}
      onChange={(isOn) => onChoose({ ...mail, [group]: isOn })}
    />
  ));
}

function Waiting() {
  return CHOICES.map(({ group }) => <Skeleton key={group} width="70%" />);
}

/**
 * What was chosen here, which shows at once, and how to choose; null again when it failed.
 *
 * Choices are sent one after the other, and the last one stands.
 */
function useChosenMail(userId: string) {
  const queryClient = useQueryClient();
  const [chosen, setChosen] = useState<Switches | null>(null);
  const { mutate } = useMutation({
    mutationFn: chooseMail,
    scope: { id: "mail-switches" },
    onSuccess: (mail) => queryClient.setQueryData(keys.notificationSettings(userId), mail),
    onError: tellFailure,
  });
  const choose = (mail: Switches) => {
    setChosen(mail);
    mutate(mail, { onError: () => setChosen(null) });
  };
  return [chosen, choose] as const;
}
