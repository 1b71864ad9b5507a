import { Component, type ReactNode } from "react";
import { retryFailedScreens } from "@/app/lazy-screen";
import { Button } from "@/components/button";
import { isOffline } from "@/lib/failures";
import { openNewVersion } from "@/lib/new-version";
import { isReachable, subscribeToReach } from "@/lib/online";
import { reportError } from "@/lib/report-error";

interface ScreenBoundaryProps {
  children: ReactNode;
}

/**
 * Keeps a screen that failed from taking with it what stands around it: menu, header and bar.
 *
 * It draws the screen again on the member's wish, and by itself when the server can be reached again. A second
 * wish reloads the page, with a newer version if there is one. Give it the address as its `key`, so that
 * another screen begins anew.
 */
export class ScreenBoundary extends Component<ScreenBoundaryProps, { failed: boolean }> {
  override state = { failed: false };
  private hasTriedAgain = false;
  private stopListening: () => void = () => undefined;

  static getDerivedStateFromError(): { failed: boolean } {
    return { failed: true };
  }

  override componentDidMount(): void {
    this.stopListening = subscribeToReach(() => isReachable() && this.drawAgain());
  }

  override componentWillUnmount(): void {
    this.stopListening();
    if (this.state.failed) {
      // Whoever comes back later finds the screen tried anew, not its old failure.
      retryFailedScreens();
    }
  }

  override componentDidCatch(error: unknown): void {
    reportError("screen", error);
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
        <h2>This screen did not open</h2>
        <p className="muted">
          {isOffline()
            ? "You are offline. It opens by itself when you are connected again."
            : "The connection may have dropped, or there is a newer version."}
        </p>
        <Button onClick={this.tryAgain}>Try again</Button>
      </div>
    );
  }
}
