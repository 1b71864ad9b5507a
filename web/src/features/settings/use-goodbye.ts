import { useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "react-router-dom";
import { cartStore } from "@/lib/cart-store";
import { paths } from "@/lib/paths";
import { session } from "@/lib/session";
import { forgetMember } from "@/lib/storage";
import { showToast } from "@/lib/toasts";

/** Leave for the sign-in page after the account is gone, and forget everything of its member. */
export function useGoodbye(): (message: string) => Promise<void> {
  const navigate = useNavigate();
  const queryClient = useQueryClient();
  return async (message) => {
    await navigate(paths.signIn, { replace: true });
    session.clear();
    cartStore.clear();
    forgetMember();
    queryClient.clear();
    showToast("success", `${message} Goodbye, and thank you for every shout.`);
  };
}
