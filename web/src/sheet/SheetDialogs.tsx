import { goTo } from "../state/place";
import { ApplyDialog } from "./ApplyDialog";
import { discard } from "./api";
import type { Dialog } from "./dialogs";
import { FilterDialog } from "./FilterDialog";
import { FormDialog } from "./FormDialog";
import type { Filter } from "./filters";
import { NameDialog } from "./NameDialog";
import type { SheetSession } from "./SheetSession";

type Props = {
  dialog: Dialog;
  session: SheetSession;
  names: string[];
  filters: Filter[];
  onFilters: (filters: Filter[]) => void;
  onClose: () => void;
  /** The sheet was applied or discarded. */
  onGone: () => void;
  say: (text: string) => void;
};

/** The one dialog that is open. */
export function SheetDialogs({ dialog, session, names, filters, onFilters, onClose, onGone, say }: Props) {
  const ended = (operation: string, given: Record<string, unknown>) => {
    session.do(operation, given);
    onClose();
  };
  switch (dialog.kind) {
    case "filter":
      return (
        <FilterDialog
          columns={names}
          filter={filters[dialog.at] ?? { column: dialog.column, test: "is", value: "" }}
          onClose={onClose}
          onSave={(filter) => {
            onFilters([...filters.slice(0, dialog.at), filter, ...filters.slice(dialog.at + 1)]);
            onClose();
          }}
        />
      );
    case "rename":
      return (
        <NameDialog
          title={`Rename ${dialog.column}`}
          submit="Rename"
          name={dialog.column}
          onClose={onClose}
          onSave={(name) => ended("rename_column", { column: dialog.column, name })}
        />
      );
    case "insert":
      return (
        <NameDialog
          title="Insert a column"
          submit="Insert"
          name={freeName(names)}
          onClose={onClose}
          onSave={(name) => ended("insert_column", { name, after: dialog.after })}
        />
      );
    case "apply":
      return (
        <ApplyDialog
          sheet={session.sheet}
          pending={session.pending}
          onClose={onClose}
          onApplied={(notebook) => {
            session.forget();
            goTo({ notebook });
            onGone();
          }}
        />
      );
    case "discard":
      return (
        <FormDialog
          title={`Discard ${session.pending.toLocaleString("en")} pending edits?`}
          submit="Discard"
          onClose={onClose}
          onSubmit={() => {
            session.forget();
            void discard(session.id).then(onGone, (error: Error) => say(error.message));
            onClose();
          }}
        >
          <p>The dataset itself was never changed. What was done here cannot be brought back.</p>
        </FormDialog>
      );
  }
}

function freeName(names: string[]): string {
  for (let i = 1; ; i++) if (!names.includes(`column_${i}`)) return `column_${i}`;
}
