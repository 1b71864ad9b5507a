import { useLayoutEffect } from "react";
import { useLocation } from "react-router-dom";
import { ComingSoon } from "@/features/home/coming-soon";
import { leaveTo } from "@/lib/navigation";
import { hasOperatorSession, officePath } from "@/lib/operator-tab";

export default function ComingPage() {
  const { pathname } = useLocation();
  const path = pathname.replace(/\/+$/, "");
  const office = hasOperatorSession() ? officePath(path) : null;
  useLayoutEffect(() => {
    if (office !== null) {
      leaveTo(office);
    }
  }, [office]);
  return office === null ? <ComingSoon path={path} /> : null;
}
