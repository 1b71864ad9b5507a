import { type ComponentType, useState } from "react";
import { Button } from "@/components/button";
import { CopyLinkButton } from "@/components/copy-link-button";
import { DiscardQuestion } from "@/components/discard-question";
import { Modal } from "@/components/modal";
import { ModalDialog } from "@/components/modal-dialog";
import { PromotionDialog } from "@/components/promotion-dialog";
import { PushDialog } from "@/components/push-dialog";
import { PushHere } from "@/components/push-here";
import { ReportDialog } from "@/components/report-dialog";
import { ShareButton } from "@/components/share-button";
import { SpinnerOverlay } from "@/components/spinner";
import { TextField } from "@/components/text-field";
import type { Shared, Sharer } from "@/lib/device/sharing";
import { showToast, type ToastKind } from "@/lib/ui/toasts";

const KINDS: ToastKind[] = ["success", "info", "error"];
const PUSH_STATES = ["off", "on", "install-first", "blocked", "unsupported"] as const;

const SHARER: Sharer = {
  name: "Grace Ada",
  clubName: "Enyimba",
  colours: ["#0B4EA2", "#FFFFFF"],
  planName: "Terrace",
  link: "https://fans.example/i/K7QW2M9X",
};
const SHARED: Record<string, Shared> = {
  quest: { kind: "quest", correct: 4, total: 5 },
  battle: { kind: "battle", correct: 3, total: 5 },
  promotion: { kind: "promotion", badge: "super-fan" },
  prediction: {
    kind: "prediction",
    home: "Enyimba",
    away: "Remo Stars",
    goals: { home: 2, away: 1 },
    outcome: "exact",
  },
};

interface OpenProps {
  onClose: () => void;
}

const DIALOGS: Record<string, ComponentType<OpenProps>> = {
  form: ({ onClose }) => <FormDialog onClose={onClose} />,
  submitting: ({ onClose }) => <FormDialog submitting onClose={onClose} />,
  loading: ({ onClose }) => <FormDialog loading onClose={onClose} />,
  told: ({ onClose }) => (
    <ModalDialog
      header="A dialog to read"
      content={<p>There is nothing to lose.</p>}
      onClose={onClose}
    />
  ),
  question: ({ onClose }) => <DiscardQuestion onDiscard={onClose} onStay={onClose} />,
  overlay: () => <SpinnerOverlay label="Loading" />,
  push: ({ onClose }) => <PushDialog busy={false} onTurnOn={onClose} onNotNow={onClose} />,
  report: ({ onClose }) => (
    <ReportDialog header="Report message" submitting={false} onSubmit={onClose} onClose={onClose}>
      What was written
    </ReportDialog>
  ),
  promotion: ({ onClose }) => (
    <PromotionDialog
      badge="super-fan"
      ranks={["rookie", "super-fan"]}
      sharer={SHARER}
      onContinue={onClose}
    />
  ),
};

export function Dialogs() {
  const [open, setOpen] = useState<string | null>(null);
  const Opened = open === null ? null : DIALOGS[open];
  return (
    <div className="wallet-actions">
      {Object.keys(DIALOGS).map((dialog) => (
        <Button key={dialog} variant="secondary" onClick={() => setOpen(dialog)}>
          Dialog: {dialog}
        </Button>
      ))}
      {KINDS.map((kind) => (
        <Button key={kind} variant="quiet" onClick={() => showToast(kind, `A toast of ${kind}.`)}>
          Toast: {kind}
        </Button>
      ))}
      {Opened ? <Opened onClose={() => setOpen(null)} /> : null}
      {Object.entries(SHARED).map(([name, shared]) => (
        <ShareButton key={name} sharer={SHARER} shared={shared} of={name} />
      ))}
      <CopyLinkButton link={SHARER.link} />
      {PUSH_STATES.map((state) => (
        <PushHere
          key={state}
          state={state}
          dialog={null}
          open={() => setOpen("push")}
          isPending={false}
          turnOff={{ mutate: () => setOpen("push"), isPending: false }}
        />
      ))}
    </div>
  );
}

function FormDialog(props: OpenProps & { loading?: boolean; submitting?: boolean }) {
  const [text, setText] = useState("");
  return (
    <Modal
      {...props}
      header="A dialog"
      onSubmit={props.onClose}
      content={<TextField label="A field" value={text} onChange={setText} />}
    />
  );
}
