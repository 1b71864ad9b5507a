import { render, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, expect, test, vi } from "vitest";
import { Loaded, type QueryState } from "@/components/loaded";
import { StatusArea } from "@/components/status-area";
import { formatSince } from "@/lib/format/dates";
import { NoAnswer, Refusal } from "@/lib/live/failures";

const LONG_AGO = Date.now() - 3_600_000;

afterEach(() => vi.restoreAllMocks());

function draw(asked: Partial<QueryState<string>>) {
  const refetch = vi.fn();
  const whole = { data: undefined, error: null, dataUpdatedAt: 0, refetch, ...asked };
  render(
    <>
      <StatusArea />
      <Loaded query={whole} pending={<p>Waiting</p>}>
        {(text) => <p>{text}</p>}
      </Loaded>
    </>,
  );
  return refetch;
}

test("until the first answer the pending face shows", () => {
  draw({});

  expect(screen.getByText("Waiting")).toBeInTheDocument();
});

test("what was read stays when asking anew fails, with how old it is and a way to ask again", async () => {
  const refetch = draw({ data: "₦25,000", error: new NoAnswer(), dataUpdatedAt: Date.now() });

  expect(screen.getByText("₦25,000")).toBeInTheDocument();
  expect(screen.getByRole("status")).toHaveTextContent(/^As of \d+:\d\d\s?[ap]m$/i);
  await userEvent.click(screen.getByRole("button", { name: "Refresh" }));
  expect(refetch).toHaveBeenCalledOnce();
});

test("without a network all that is shown has its age, though nothing was asked anew", () => {
  vi.spyOn(navigator, "onLine", "get").mockReturnValue(false);

  draw({ data: "0–0", dataUpdatedAt: Date.now() });

  expect(screen.getByRole("status")).toHaveTextContent(/^You are offline\. As of \d/);
});

test("of several the oldest is shown, and all are refreshed at once", async () => {
  const newer = draw({ data: "7", error: new NoAnswer(), dataUpdatedAt: Date.now() });
  const older = draw({ data: "8", error: new NoAnswer(), dataUpdatedAt: LONG_AGO });

  const [area] = screen.getAllByRole("status");
  expect(area).toHaveTextContent(`As of ${formatSince(LONG_AGO)}`);
  await userEvent.click(screen.getAllByRole("button", { name: "Refresh" })[0] as HTMLElement);
  expect(newer).toHaveBeenCalledOnce();
  expect(older).toHaveBeenCalledOnce();
});

test("fresh data have no such line", () => {
  draw({ data: "₦25,000", dataUpdatedAt: Date.now() });

  expect(screen.queryByText(/As of/)).not.toBeInTheDocument();
});

test("without data the server's sentence shows, and without a network what the screen needs", () => {
  draw({ error: new Refusal("Not now.", { status: 404, code: "not_found" }) });
  expect(screen.getByText("Not now.")).toBeInTheDocument();
  expect(screen.getByText(/^Other screens may still work/)).toBeInTheDocument();

  vi.spyOn(navigator, "onLine", "get").mockReturnValue(false);
  draw({ error: new NoAnswer() });
  expect(screen.getByText("You are offline. This screen needs a connection.")).toBeInTheDocument();
  expect(screen.getByText("Screens that you opened earlier still show.")).toBeInTheDocument();
});
