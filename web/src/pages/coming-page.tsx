import { useLocation } from "react-router-dom";
import { ComingSoon } from "@/features/home/coming-soon";

export default function ComingPage() {
  const { pathname } = useLocation();
  return <ComingSoon path={pathname.replace(/\/+$/, "")} />;
}
