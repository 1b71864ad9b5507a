import { useLocation, useParams } from "react-router-dom";
import { Activation } from "@/features/auth/activation";
import { AuthLayout } from "@/features/auth/auth-layout";
import { isRecord } from "@/lib/storage";

export default function ActivationPage() {
  const { id = "" } = useParams();
  const { state } = useLocation();
  return (
    <AuthLayout title="OTP Validation">
      <Activation userId={id} codeJustSent={isRecord(state) && state["codeSent"] === true} />
    </AuthLayout>
  );
}
