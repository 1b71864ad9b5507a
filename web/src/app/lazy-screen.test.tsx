import { act, fireEvent, render, screen } from "@testing-library/react";
import { Suspense } from "react";
import { Link, MemoryRouter, Route, Routes } from "react-router-dom";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { lazyScreen } from "@/app/lazy-screen";
import { OpeningBar } from "@/app/opening-bar";
import { ScreenBoundary } from "@/app/screen-boundary";
import * as newVersion from "@/lib/device/new-version";
import * as errors from "@/lib/device/report-error";

vi.mock("@/lib/device/new-version", () => ({ openNewVersion: vi.fn() }));
vi.mock("@/lib/device/report-error", () => ({ reportError: vi.fn() }));

const loaded = { default: () => <p>The wallet</p> };
const lost = () => Promise.reject(new Error("Failed to fetch a script"));
const load = vi.fn<() => Promise<typeof loaded>>();

beforeEach(() => {
  vi.useFakeTimers();
  vi.spyOn(console, "error").mockImplementation(() => undefined); // React logs errors that boundaries catch
  load.mockReset();
  vi.mocked(errors.reportError).mockClear();
  vi.mocked(newVersion.openNewVersion).mockClear();
});
afterEach(() => Reflect.deleteProperty(navigator, "onLine"));

const pass = (ms: number) =>
  act(async () => {
    await vi.advanceTimersByTimeAsync(ms);
  });
const bar = (container: HTMLElement) => container.querySelector(".opening-bar");

/** The real shell, on a screen that links to one whose script is fetched. */
function openShell() {
  const Wallet = lazyScreen(load, <p>Waiting</p>);
  return render(
    <MemoryRouter>
      <OpeningBar />
      <nav>
        <Link to="/wallet">Wallet</Link>
      </nav>
      <Suspense fallback={<p>Nothing yet</p>}>
        <ScreenBoundary>
          <Routes>
            <Route path="/" element={<p>The screen before</p>} />
            <Route path="/wallet" element={<Wallet />} />
          </Routes>
        </ScreenBoundary>
      </Suspense>
    </MemoryRouter>,
  );
}

function tapWallet(): Promise<void> {
  fireEvent.click(screen.getByRole("link", { name: "Wallet" }));
  return pass(0);
}

test("a script that does not come is tried again after one second, and after three more", async () => {
  load.mockImplementationOnce(lost).mockImplementationOnce(lost).mockResolvedValueOnce(loaded);
  openShell();
  await tapWallet();
  expect(load).toHaveBeenCalledTimes(1);

  await pass(999);
  expect(load).toHaveBeenCalledTimes(1);
  await pass(1);
  expect(load).toHaveBeenCalledTimes(2);
  await pass(2999);
  expect(load).toHaveBeenCalledTimes(2);
  await pass(1);

  expect(load).toHaveBeenCalledTimes(3);
  expect(screen.getByText("The wallet")).toBeVisible();
});

test("after three tries the screen says that it did not open, and the shell lives on", async () => {
  load.mockImplementation(lost);
  openShell();
  await tapWallet();
  await pass(4000);

  expect(load).toHaveBeenCalledTimes(3);
  expect(screen.getByRole("heading", { name: "This screen did not open" })).toBeVisible();
  expect(screen.getByRole("link", { name: "Wallet" })).toBeVisible();
  expect(errors.reportError).toHaveBeenCalledOnce();

  load.mockReset().mockResolvedValueOnce(loaded);
  fireEvent.click(screen.getByRole("button", { name: "Try again" }));
  await pass(0);

  expect(load).toHaveBeenCalledOnce();
  expect(screen.getByText("The wallet")).toBeVisible();
});

test("a second 'Try again' that fails as well reloads the page", async () => {
  load.mockImplementation(lost);
  openShell();
  await tapWallet();
  await pass(4000);
  fireEvent.click(screen.getByRole("button", { name: "Try again" }));
  await pass(4000);
  expect(load).toHaveBeenCalledTimes(6);
  expect(newVersion.openNewVersion).not.toHaveBeenCalled();

  fireEvent.click(screen.getByRole("button", { name: "Try again" }));

  expect(newVersion.openNewVersion).toHaveBeenCalledOnce();
});

test("without a network nothing is tried again, and the screen opens by itself with one", async () => {
  Object.defineProperty(navigator, "onLine", { configurable: true, get: () => false });
  load.mockImplementationOnce(lost).mockResolvedValueOnce(loaded);
  openShell();
  await tapWallet();

  expect(load).toHaveBeenCalledOnce();
  expect(screen.getByText("You are offline. This screen needs a connection.")).toBeVisible();
  Reflect.deleteProperty(navigator, "onLine");
  act(() => void window.dispatchEvent(new Event("online")));
  await pass(0);

  expect(screen.getByText("The wallet")).toBeVisible();
});

test("the screen before stays for three seconds under a bar, then the waiting face stands there", async () => {
  let arrive: (script: typeof loaded) => void = () => undefined;
  load.mockReturnValueOnce(
    new Promise((resolve) => {
      arrive = resolve;
    }),
  );
  const { container } = openShell();
  expect(bar(container)).toBeNull();
  await tapWallet();

  await pass(149);
  expect(bar(container)).toBeNull();
  await pass(1);
  expect(bar(container)).not.toBeNull();
  await pass(2849);
  expect(screen.getByText("The screen before")).toBeVisible();
  await pass(1);
  expect(screen.queryByText("The screen before")).toBeNull();
  expect(screen.getByText("Waiting")).toBeVisible();
  expect(screen.queryByText("Nothing yet")).toBeNull();

  arrive(loaded);
  await pass(0);
  expect(screen.getByText("The wallet")).toBeVisible();
  expect(bar(container)).toBeNull();
});

test("a screen that is there within 150 ms opens without a bar", async () => {
  load.mockImplementationOnce(async () => {
    await new Promise((resolve) => setTimeout(resolve, 149));
    return loaded;
  });
  const { container } = openShell();
  await tapWallet();
  await pass(149);
  expect(screen.getByText("The wallet")).toBeVisible();

  await pass(3000);

  expect(bar(container)).toBeNull();
});

test("a script that was fetched ahead opens at once, and one that did not come is asked for again", async () => {
  const Ahead = lazyScreen(load, <p>Waiting</p>);
  load.mockImplementation(lost);
  Ahead.preload();
  await pass(4000);
  expect(load).toHaveBeenCalledTimes(3);
  load.mockReset().mockResolvedValueOnce(loaded);
  Ahead.preload();
  await pass(0);

  render(<Ahead />);

  expect(screen.getByText("The wallet")).toBeVisible();
  expect(load).toHaveBeenCalledOnce();
});
