import { render, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, expect, test, vi } from "vitest";
import { Loaded, type QueryState } from "@/components/loaded";
import { NoAnswer, Refusal } from "@/lib/live/failures";

afterEach(() => vi.restoreAllMocks());

function draw(asked: Partial<QueryState<string>>) {
  const refetch = vi.fn();
  const whole = { data: undefined, error: null, dataUpdatedAt: 0, refetch, ...asked };
  render(
    <Loaded query={whole} pending={<p>Waiting</p>}>
      {(text) => <p>{text}</p>}
    </Loaded>,
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

  expect(screen.getByRole("status")).toHaveTextContent(/^As of/);
});

test("fresh data have no such line", () => {
  draw({ data: "₦25,000", dataUpdatedAt: Date.now() });

  expect(screen.queryByText(/As of/)).not.toBeInTheDocument();
});

test("without data the server's sentence shows, and without a network what the screen needs", () => {
  draw({ error: new Refusal("Not now.", { status: 404, code: "not_found" }) });
  expect(screen.getByText("Not now.")).toBeInTheDocument();

  vi.spyOn(navigator, "onLine", "get").mockReturnValue(false);
  draw({ error: new NoAnswer() });
  expect(screen.getByText("You are offline. This screen needs a connection.")).toBeInTheDocument();
});
