import { act, fireEvent, render, screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, test, vi } from "vitest";
import { Modal } from "@/components/modal";
import { ToastRegion } from "@/components/toast-region";
import { pressBack, suspendDialogs } from "@/lib/ui/overlays";
import { showToast } from "@/lib/ui/toasts";

test("without a submit handler the footer has only Close", async () => {
  const onClose = vi.fn();
  render(<Modal header="Rules" content="Play fair." onClose={onClose} />);

  await userEvent.click(screen.getByRole("button", { name: "Close" }));

  expect(onClose).toHaveBeenCalledOnce();
  expect(screen.queryByRole("button", { name: "Save changes" })).toBeNull();
});

test("with a submit handler it also has Save changes", async () => {
  const onSubmit = vi.fn();
  render(<Modal header="Rules" content="" onClose={vi.fn()} onSubmit={onSubmit} />);

  await userEvent.click(screen.getByRole("button", { name: "Save changes" }));

  expect(onSubmit).toHaveBeenCalledOnce();
});

test("header and footer are hidden while loading", () => {
  render(
    <Modal header="Rules" content="Play fair." loading onClose={vi.fn()} onSubmit={vi.fn()} />,
  );

  expect(screen.queryByRole("heading", { name: "Rules" })).toBeNull();
  expect(screen.queryByRole("button")).toBeNull();
  expect(screen.getByRole("status")).toHaveTextContent("Loading");
});

test("the footer can be left out and classes are passed on", () => {
  render(<Modal header="Rules" content="" footer={false} classes="wide" onClose={vi.fn()} />);

  expect(screen.queryByRole("button", { name: "Close" })).toBeNull();
  expect(screen.getByRole("dialog", { name: "Rules" })).toHaveClass("wide");
});

test("toasts move into the open dialog, where they can be reached", async () => {
  render(
    <>
      <ToastRegion />
      <Modal header="Rules" content="" onClose={vi.fn()} />
    </>,
  );

  showToast("error", "That did not work.");

  const toast = await screen.findByRole("alert");
  expect(screen.getByRole("dialog")).toContainElement(toast);
});

test("focus goes back to the opener, or to the content when the opener became inactive", () => {
  function Page({ isOpen, isDone }: { isOpen: boolean; isDone: boolean }) {
    return (
      <main id="content" tabIndex={-1}>
        <button type="button" disabled={isDone}>
          Subscribe
        </button>
        {isOpen ? <Modal header="Rules" content="" onClose={vi.fn()} /> : null}
      </main>
    );
  }
  const { rerender } = render(<Page isOpen={false} isDone={false} />);
  screen.getByRole("button", { name: "Subscribe" }).focus();
  rerender(<Page isOpen isDone={false} />);
  rerender(<Page isOpen={false} isDone={false} />);
  expect(screen.getByRole("button", { name: "Subscribe" })).toHaveFocus();

  rerender(<Page isOpen isDone={false} />);
  rerender(<Page isOpen isDone />);
  rerender(<Page isOpen={false} isDone />);
  expect(screen.getByRole("main")).toHaveFocus();
});

test("Escape closes it, but a file picker that is left without a choice does not", () => {
  const onClose = vi.fn();
  const picker = <input type="file" aria-label="Picture" />;
  render(<Modal header="Rules" content={picker} onClose={onClose} />);

  fireEvent(screen.getByLabelText("Picture"), new Event("cancel", { bubbles: true }));
  expect(onClose).not.toHaveBeenCalled();
  fireEvent(screen.getByRole("dialog"), new Event("cancel", { cancelable: true }));

  expect(onClose).toHaveBeenCalledOnce();
});

test("while it is locked neither Escape nor a button of its header closes it", () => {
  const onClose = vi.fn();
  render(<Modal header="Rules" content="" locked footer={false} onClose={onClose} />);
  const dialog = screen.getByRole("dialog");

  const pressed = new Event("cancel", { cancelable: true });
  fireEvent(dialog, pressed);

  expect(pressed.defaultPrevented).toBe(true);
  expect(onClose).not.toHaveBeenCalled();
  expect(dialog).toHaveAttribute("closedby", "none");
  expect(screen.queryByRole("button")).toBeNull();
});

test("what was typed is asked about before it is lost, however the dialog is closed", async () => {
  const onClose = vi.fn();
  const user = userEvent.setup();
  render(<Modal header="Amount" content={<input aria-label="Naira" />} onClose={onClose} />);
  await user.type(screen.getByLabelText("Naira"), "500");

  fireEvent(screen.getByRole("dialog"), new Event("cancel", { cancelable: true }));
  const question = screen.getByRole("dialog", { name: "Discard your changes?" });
  await user.click(within(question).getByRole("button", { name: "Close" }));
  expect(question).not.toBeInTheDocument();
  expect(onClose).not.toHaveBeenCalled();
  expect(screen.getByLabelText("Naira")).toHaveValue("500");

  act(pressBack);
  await user.click(screen.getByRole("button", { name: "Discard" }));
  expect(onClose).toHaveBeenCalledOnce();
});

test("what was taken back or only chosen is not asked about", async () => {
  const onClose = vi.fn();
  const user = userEvent.setup();
  const content = (
    <>
      <input aria-label="Naira" />
      <input type="checkbox" aria-label="Agreed" />
    </>
  );
  render(<Modal header="Amount" content={content} onClose={onClose} />);
  await user.type(screen.getByLabelText("Naira"), "5{Backspace}");
  await user.click(screen.getByLabelText("Agreed"));

  act(pressBack);

  expect(onClose).toHaveBeenCalledOnce();
});

test("suspended dialogs leave the screen and come back as they were, in their order", () => {
  const onClose = vi.fn();
  const shown: (string | null)[] = [];
  render(
    <>
      <Modal header="Details" content={<input aria-label="Note" />} onClose={onClose} />
      <Modal header="Amount" content={<input aria-label="Naira" />} onClose={onClose} />
      <ToastRegion />
    </>,
  );
  const dialogs = [
    screen.getByRole("dialog", { name: "Details" }),
    screen.getByRole("dialog", { name: "Amount" }),
  ];
  for (const dialog of dialogs) {
    vi.spyOn(dialog as HTMLDialogElement, "showModal").mockImplementation(function (
      this: HTMLDialogElement,
    ) {
      this.open = true;
      shown.push(this.querySelector("h2")?.textContent ?? null);
    });
  }
  fireEvent.change(screen.getByLabelText("Naira"), { target: { value: "500" } });
  screen.getByLabelText("Naira").focus();

  let resume = () => {};
  act(() => (resume = suspendDialogs()));
  expect(screen.queryByRole("dialog")).toBeNull();
  act(() => showToast("info", "Still told."));
  expect(screen.getByText("Still told.")).toBeInTheDocument();
  act(resume);
  act(resume);

  expect(shown).toEqual(["Details", "Amount"]);
  expect(dialogs[1]).toContainElement(screen.getByText("Still told."));
  expect(screen.getByLabelText("Naira")).toHaveFocus();
  expect(screen.getByLabelText("Naira")).toHaveValue("500");
  expect(onClose).not.toHaveBeenCalled();
});

test("a dialog that is closed while suspended stays closed, and its opener has the focus", () => {
  function Page({ isFunding }: { isFunding: boolean }) {
    return (
      <>
        <Modal header="Details" content={<button type="button">Fund</button>} onClose={vi.fn()} />
        {isFunding ? <Modal header="Amount" content="" onClose={vi.fn()} /> : null}
      </>
    );
  }
  const { rerender } = render(<Page isFunding={false} />);
  const opener = screen.getByRole("button", { name: "Fund" });
  opener.focus();
  rerender(<Page isFunding />);

  const resume = suspendDialogs();
  rerender(<Page isFunding={false} />);
  act(resume);

  expect(screen.getAllByRole("dialog")).toHaveLength(1);
  expect(opener).toHaveFocus();
});
