import { Component, type ReactNode } from "react";
import { retryFailedScreens } from "@/app/lazy-screen";
import { Button } from "@/components/button";
import { openNewVersion } from "@/lib/device/new-version";
import { checkReach, hasNoNetwork, isReachable, subscribeToReach } from "@/lib/device/online";
import { reportError } from "@/lib/device/report-error";
import { isOffline, NEEDS_A_CONNECTION } from "@/lib/live/failures";

interface ScreenBoundaryProps {
  children: ReactNode;
}

/**
 * Contains the failure of a screen, so that menu, header and bar stay.
 *
 * It renders the screen again when the member asks, and automatically when the server is reachable
 * again. A second try reloads the page, with a newer version if there is one. Pass the address as
 * its `key`, so that another screen starts fresh.
 */
export class ScreenBoundary extends Component<ScreenBoundaryProps, { failed: boolean }> {
  override state = { failed: false };
  private hasTriedAgain = false;
  private stopListening: () => void = () => undefined;

  static getDerivedStateFromError(): { failed: boolean } {
    return { failed: true };
  }

  override componentDidMount(): void {
    this.stopListening = subscribeToReach(() =>
      isReachable() ? this.drawAgain() : this.forceUpdate(),
    );
  }

  override componentWillUnmount(): void {
    this.stopListening();
    if (this.state.failed) {
      // On return the screen is tried again, instead of showing its old failure.
      retryFailedScreens();
    }
  }

  override componentDidCatch(error: unknown): void {
    reportError("screen", error);
    checkReach();
  }

  private drawAgain = () => {
    if (this.state.failed) {
      retryFailedScreens();
      this.setState({ failed: false });
    }
  };

  private tryAgain = () => {
    if (this.hasTriedAgain && !isOffline()) {
      void openNewVersion();
      return;
    }
    this.hasTriedAgain = true;
    this.drawAgain();
  };

  override render(): ReactNode {
    if (!this.state.failed) {
      return this.props.children;
    }
    return (
      <div className="full-message" role="alert">
        {hasNoNetwork() ? (
          <p>{NEEDS_A_CONNECTION}</p>
        ) : (
          <>
            <h2>This screen did not open</h2>
            <p className="muted">The connection may have dropped, or there is a newer version.</p>
          </>
        )}
        <Button onClick={this.tryAgain}>Try again</Button>
      </div>
    );
  }
}
