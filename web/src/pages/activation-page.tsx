import { useLocation, useNavigate, useParams } from "react-router-dom";
import { Activation } from "@/features/auth/activation";
import { AuthLayout } from "@/features/auth/auth-layout";
import { type CodeNews, readCodeNews } from "@/features/auth/code-news";

export default function ActivationPage() {
  const { id = "" } = useParams();
  const { pathname, state } = useLocation();
  const navigate = useNavigate();
  const keep = (news: CodeNews) => void navigate(pathname, { replace: true, state: news });
  return (
    <AuthLayout title="OTP Validation">
      <Activation key={id} userId={id} news={readCodeNews(state)} onNews={keep} />
    </AuthLayout>
  );
}
