import { type ComponentType, useState } from "react";
import { Button } from "@/components/button";
import { Modal } from "@/components/modal";
import { PromotionDialog } from "@/components/promotion-dialog";
import { PushDialog } from "@/components/push-dialog";
import { PushHere } from "@/components/push-here";
import { ReportDialog } from "@/components/report-dialog";
import { SpinnerOverlay } from "@/components/spinner";
import { TextField } from "@/components/text-field";
import { showToast, type ToastKind } from "@/lib/toasts";

const KINDS: ToastKind[] = ["success", "info", "error"];
const PUSH_STATES = ["off", "on", "install-first", "blocked", "unsupported"] as const;

interface OpenProps {
  onClose: () => void;
}

const DIALOGS: Record<string, ComponentType<OpenProps>> = {
  form: ({ onClose }) => <FormDialog onClose={onClose} />,
  submitting: ({ onClose }) => <FormDialog submitting onClose={onClose} />,
  loading: ({ onClose }) => <FormDialog loading onClose={onClose} />,
  overlay: () => <SpinnerOverlay label="Loading" />,
  push: ({ onClose }) => <PushDialog busy={false} onTurnOn={onClose} onNotNow={onClose} />,
  report: ({ onClose }) => (
    <ReportDialog header="Report message" submitting={false} onSubmit={onClose} onClose={onClose}>
      What was written
    </ReportDialog>
  ),
  promotion: ({ onClose }) => (
    <PromotionDialog badge="Super Fan" ranks={["Rookie", "Super Fan"]} onContinue={onClose} />
  ),
};

export function Dialogs() {
  const [open, setOpen] = useState<string | null>(null);
  const Opened = open === null ? null : DIALOGS[open];
  return (
    <div className="wallet-actions">
      {Object.keys(DIALOGS).map((dialog) => (
        <Button key={dialog} look="secondary" onClick={() => setOpen(dialog)}>
          Dialog: {dialog}
        </Button>
      ))}
      {KINDS.map((kind) => (
        <Button key={kind} look="quiet" onClick={() => showToast(kind, `A toast of ${kind}.`)}>
          Toast: {kind}
        </Button>
      ))}
      {Opened ? <Opened onClose={() => setOpen(null)} /> : null}
      {PUSH_STATES.map((state) => (
        <PushHere
          key={state}
          state={state}
          dialog={null}
          open={() => setOpen("push")}
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
