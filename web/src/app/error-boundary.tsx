import { Component, type ReactNode } from "react";
import { Button } from "@/components/button";

interface ErrorBoundaryProps {
  children: ReactNode;
}

/** Catches what a screen could not handle, a part that failed to load above all. */
export class ErrorBoundary extends Component<ErrorBoundaryProps, { failed: boolean }> {
  override state = { failed: false };

  static getDerivedStateFromError(): { failed: boolean } {
    return { failed: true };
  }

  override render(): ReactNode {
    if (!this.state.failed) {
      return this.props.children;
    }
    return (
      <main className="full-message">
        <h1>This screen did not open</h1>
        <p className="muted">
          The connection may have dropped, or there is a newer version. Reloading helps.
        </p>
        <Button onClick={() => window.location.reload()}>Reload</Button>
      </main>
    );
  }
}
