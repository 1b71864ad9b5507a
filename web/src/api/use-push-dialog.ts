import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { pushOfferQuery, turnPushOff, turnPushOn } from "@/api/push";
import { keys } from "@/api/query-keys";
import { restFromOffering, restsFromOffering } from "@/lib/device/push";
import { useMember } from "@/lib/session/session";
import { showFailure } from "@/lib/ui/show-failure";
import { showToast } from "@/lib/ui/toasts";

/** This browser's push state, whether our own dialog is open, and its actions. */
export function usePushDialog() {
  const { id } = useMember();
  const queryClient = useQueryClient();
  const { data: offer = null, isPending } = useQuery(pushOfferQuery(id));
  const [isOpen, setOpen] = useState(false);
  const recheck = () => queryClient.invalidateQueries({ queryKey: keys.pushOffer(id) });
  const turnOn = useMutation({
    mutationFn: () => turnPushOn(id, offer?.publicKey ?? ""),
    onSuccess: (isOn) => {
      if (isOn) {
        showToast("success", "Notifications are on in this browser.");
      }
    },
    onError: showFailure,
    onSettled: () => {
      setOpen(false);
      return recheck();
    },
  });
  const turnOff = useMutation({
    mutationFn: turnPushOff,
    onError: showFailure,
    onSettled: recheck,
  });
  return {
    state: offer?.state ?? null,
    isPending,
    turnOff,
    /** Opened by 'Turn on notifications'. */
    open: () => setOpen(true),
    /** Offered in passing: not if push is on, unsupported or was declined lately. */
    offer: () => setOpen(offer?.state === "off" && !restsFromOffering()),
    dialog: isOpen
      ? {
          busy: turnOn.isPending,
          onTurnOn: () => turnOn.mutate(),
          onNotNow: () => {
            restFromOffering();
            setOpen(false);
          },
        }
      : null,
  };
}
