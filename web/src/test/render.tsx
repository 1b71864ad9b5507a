import { type RenderResult, render } from "@testing-library/react";
import userEvent, { PointerEventsCheckLevel } from "@testing-library/user-event";
import { StrictMode } from "react";
import { MemoryRouter } from "react-router-dom";
import { ScreenToasts } from "@/app/screen-toasts";
import { Screens } from "@/app/screens";
import { claimTab, type SessionUser, session } from "@/lib/session/session";
import { aSession } from "@/test/factories";

/** Open the app at `address` as a visitor. */
export function openApp(
  address: string | { pathname: string; state: unknown },
): RenderResult & { user: ReturnType<typeof userEvent.setup> } {
  const user = userEvent.setup({
    advanceTimers: advanceFakeTimers,
    pointerEventsCheck: PointerEventsCheckLevel.Never, // the document of tests has no styles
  });
  const screen = render(
    <StrictMode>
      <MemoryRouter initialEntries={[address]}>
        <Screens />
        <ScreenToasts />
      </MemoryRouter>
    </StrictMode>,
  );
  return { ...screen, user };
}

/** Open the app at `address` as a signed-in member. */
export function openAppAsMember(
  address: Parameters<typeof openApp>[0],
  member: SessionUser = aSession(),
) {
  session.write(member);
  claimTab();
  return openApp(address);
}

async function advanceFakeTimers(delayMs: number): Promise<void> {
  const { vi } = await import("vitest");
  if (vi.isFakeTimers()) {
    await vi.advanceTimersByTimeAsync(delayMs);
  }
}
