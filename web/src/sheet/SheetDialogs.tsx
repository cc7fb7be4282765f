import type { Dataset } from "../api/client";
import { StateRangeDialog } from "../caveats/StateRangeDialog";
import AddCheckDialog from "../checks/AddCheckDialog";
import { count } from "../text/words";
import { AddColumnDialog } from "./AddColumnDialog";
import { ApplyDialog } from "./ApplyDialog";
import { discard } from "./api";
import type { AppliedStep } from "./applyAtHome";
import { ClusterDialog } from "./ClusterDialog";
import { ColumnChangeDialog } from "./ColumnChangeDialog";
import { COLUMN_CHANGES } from "./columnChanges";
import type { Dialog } from "./dialogs";
import { FacetDialog } from "./FacetDialog";
import { FilterDialog } from "./FilterDialog";
import { FormDialog } from "./FormDialog";
import { conditionOf, type Filter } from "./filters";
import { NameDialog } from "./NameDialog";
import type { SheetSession } from "./SheetSession";

type Props = {
  dialog: Dialog;
  session: SheetSession;
  dataset: Dataset;
  names: string[];
  filters: Filter[];
  onFilters: (filters: Filter[]) => void;
  onClose: () => void;
  onApplied: (step: AppliedStep) => void;
  /** The sheet was discarded. */
  onGone: () => void;
  say: (text: string) => void;
};

/** The one dialog that is open. */
export function SheetDialogs(props: Props) {
  const { dialog, session, names, filters, onFilters, onClose, onApplied, onGone, say } = props;
  const ended = (operation: string, given: Record<string, unknown>) => {
    session.do(operation, given);
    say(""); // what was said of an earlier edit
    onClose();
  };
  const where = (left: number) =>
    conditionOf(
      filters.filter((_, at) => at !== left),
      names,
    );
  switch (dialog.kind) {
    case "filter":
      return (
        <FilterDialog
          session={session}
          columns={names}
          where={where(dialog.at)}
          filter={filters[dialog.at] ?? { column: dialog.column, test: "is", value: "" }}
          onClose={onClose}
          onSave={(filter) => {
            onFilters([...filters.slice(0, dialog.at), filter, ...filters.slice(dialog.at + 1)]);
            onClose();
          }}
        />
      );
    case "facet":
      return (
        <FacetDialog
          session={session}
          column={dialog.column}
          filter={filters[dialog.at]}
          where={where(dialog.at)}
          onClose={onClose}
          onSave={(filter) => {
            const others = [filters.slice(0, dialog.at), filters.slice(dialog.at + 1)] as const;
            onFilters([...others[0], ...(filter ? [filter] : []), ...others[1]]);
            onClose();
          }}
        />
      );
    case "cluster":
      return (
        <ClusterDialog
          session={session}
          column={dialog.column}
          onClose={onClose}
          onMerge={(values) => {
            ended("recode", { column: dialog.column, values });
            say(`Merged ${count(Object.keys(values).length, "value")} of ${dialog.column} into others.`);
          }}
        />
      );
    case "check":
      return <AddCheckDialog dataset={props.dataset} column={dialog.column} onClose={onClose} />;
    case "range":
      return <StateRangeDialog dataset={props.dataset} column={dialog.column} onClose={onClose} />;
    case "change":
      return (
        <ColumnChangeDialog
          session={session}
          change={COLUMN_CHANGES[dialog.change]}
          column={dialog.column}
          onClose={onClose}
          onSave={(operations) => {
            for (const each of operations) ended(each.operation, each.arguments);
          }}
        />
      );
    case "add":
      return (
        <AddColumnDialog
          session={session}
          after={dialog.after}
          name={freeName(names)}
          onClose={onClose}
          onAdd={(operation) => ended(operation.operation, operation.arguments)}
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
      return <ApplyDialog sheet={session.sheet} pending={session.pending} onClose={onClose} onApplied={onApplied} />;
    case "discard":
      return (
        <FormDialog
          title={`Discard ${session.pending.toLocaleString("en")} pending edits?`}
          submit="Discard"
          isFinal
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
