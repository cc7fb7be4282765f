import { type ReactNode, useEffect, useId, useRef } from "react";
import styles from "./FormDialog.module.css";

type Props = {
  title: string;
  submit: string;
  children: ReactNode;
  isBusy?: boolean;
  problem?: string | undefined;
  onSubmit: (values: FormData) => void;
  onClose: () => void;
};

/** A small form over the page; Escape closes it, Enter sends it. */
export function FormDialog({ title, submit, children, isBusy = false, problem, onSubmit, onClose }: Props) {
  const id = useId();
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => dialog.current?.showModal(), []);
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
          <button type="submit" className={styles.primary} disabled={isBusy}>
            {submit}
          </button>
        </div>
      </form>
    </dialog>
  );
}
