import { useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "react-router-dom";
import { cartStore } from "@/lib/cart-store";
import { paths } from "@/lib/paths";
import { session } from "@/lib/session";
import { showToast } from "@/lib/toasts";

/** How the app looks and what it fetches belongs to the phone, not to who has left. */
const KEPT = ["theme", "low-data"];

/** Leave for the sign-in page after the account is gone, and forget everything of its member. */
export function useGoodbye(): (message: string) => Promise<void> {
  const navigate = useNavigate();
  const queryClient = useQueryClient();
  return async (message) => {
    await navigate(paths.signIn, { replace: true });
    session.clear();
    cartStore.clear();
    forgetTheRest();
    queryClient.clear();
    showToast("success", `${message} Goodbye, and thank you for every shout.`);
  };
}

/** Drafts, attempts and whatever else a screen remembered. */
function forgetTheRest(): void {
  try {
    for (const key of Object.keys(localStorage).filter((name) => !KEPT.includes(name))) {
      localStorage.removeItem(key);
    }
    sessionStorage.clear();
  } catch {
    // Storage is forbidden here, so nothing was kept in it.
  }
}
