import { type ReactNode, useEffect, useId, useRef } from "react";
import styles from "./FormDialog.module.css";

type Props = {
  title: string;
  submit: string;
  children: ReactNode;
  isBusy?: boolean;
  /** It cannot be taken back, so that Enter alone does not do it. */
  isFinal?: boolean;
  problem?: string | undefined;
  onSubmit: (values: FormData) => void;
  onClose: () => void;
};

const FIELDS = "input, select, textarea";

/** A small form over the page; Escape closes it, Enter sends it, also where there is nothing to fill in. */
export function FormDialog({
  title,
  submit,
  children,
  isBusy = false,
  isFinal = false,
  problem,
  onSubmit,
  onClose,
}: Props) {
  const id = useId();
  const dialog = useRef<HTMLDialogElement>(null);
  const send = useRef<HTMLButtonElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, when it opens
  useEffect(() => {
    const before = document.activeElement;
    dialog.current?.showModal();
    // What is suggested in the first field is typed over, unless it is kept.
    if (document.activeElement instanceof HTMLInputElement) document.activeElement.select();
    // A browser gives the focus to the first thing that takes it, which without fields would be Cancel.
    if (!isFinal && dialog.current?.querySelector(FIELDS) === null) send.current?.focus();
    return () => giveBack(before);
  }, []);
  return (
    <dialog
      ref={dialog}
      className={styles.dialog}
      aria-labelledby={id}
      onClose={onClose}
      onKeyDown={(event) => event.stopPropagation()}
    >
      <form
        onSubmit={(event) => {
          event.preventDefault();
          onSubmit(new FormData(event.currentTarget));
        }}
      >
        <h2 id={id}>{title}</h2>
        {children}
        {problem && (
          <p role="alert" className={styles.problem}>
            {problem}
          </p>
        )}
        <div className={styles.buttons}>
          <button type="button" className="button" onClick={() => dialog.current?.close()}>
            Cancel
          </button>
          <button ref={send} type="submit" className="primary" disabled={isBusy}>
            {submit}
          </button>
        </div>
      </form>
    </dialog>
  );
}

/** A dialog that is taken off the page leaves the focus nowhere: who opened it has it again, unless something took it. */
function giveBack(before: Element | null): void {
  requestAnimationFrame(() => {
    const isNowhere = document.activeElement === null || document.activeElement === document.body;
    if (isNowhere && before instanceof HTMLElement && before.isConnected) before.focus({ preventScroll: true });
  });
}
