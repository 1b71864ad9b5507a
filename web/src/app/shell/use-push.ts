import { useEffect } from "react";
import { useNavigate } from "react-router-dom";
import { isRecord } from "@/lib/device/storage";

/** After the first screen and the worker have had the network. */
const RENEW_DELAY_MS = 12_000;

/** Whether the address is on our own host. */
function isOwnPath(path: unknown): path is string {
  return (
    typeof path === "string" &&
    path.startsWith("/") &&
    new URL(path, location.origin).origin === location.origin
  );
}

/** Handle the worker's push messages: which screen to open, and that the subscription has moved. */
export function usePush(): void {
  const navigate = useNavigate();
  useEffect(() => {
    const { serviceWorker } = navigator;
    if (serviceWorker === undefined) {
      return;
    }
    const renew = () =>
      void import("@/api/push").then(({ renewPush }) => renewPush()).catch(() => undefined);
    const onMessage = ({ data, ports }: MessageEvent<unknown>) => {
      if (isRecord(data) && isOwnPath(data["open"])) {
        void navigate(data["open"]);
      } else if (data === "shows-screens?") {
        ports[0]?.postMessage(true);
      } else if (data === "push-moved") {
        renew();
      }
    };
    serviceWorker.addEventListener("message", onMessage);
    const isAllowed = "Notification" in window && Notification.permission === "granted";
    const timer = isAllowed ? setTimeout(renew, RENEW_DELAY_MS) : undefined;
    return () => {
      serviceWorker.removeEventListener("message", onMessage);
      clearTimeout(timer);
    };
  }, [navigate]);
}
