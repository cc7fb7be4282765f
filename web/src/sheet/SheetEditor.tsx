import { useEffect, useRef, useState } from "react";
import type { Dataset } from "../api/client";
import { isRow } from "../grid/PageCache";
import type { InspectedCell } from "../inspector/InspectedCell";
import { focusCellOnceThere } from "../notebook/focusCell";
import { goTo, type Place } from "../state/place";
import type { Sheet } from "./api";
import type { AppliedStep } from "./applyAtHome";
import { lookOf } from "./cellLook";
import type { ChangeName } from "./columnChanges";
import type { Dialog, OpenMenu, SheetStart } from "./dialogs";
import { FilterBar } from "./FilterBar";
import { FindBar } from "./FindBar";
import { FormulaBar } from "./FormulaBar";
import { isChoice, placeOfChoice, writeFilters } from "./filters";
import { shownColumn } from "./layout";
import { cellName } from "./letters";
import { PasteDialog } from "./PasteDialog";
import { insertRows } from "./rowActions";
import { SheetDialogs } from "./SheetDialogs";
import styles from "./SheetEditor.module.css";
import { SheetMenus } from "./SheetMenus";
import { SheetTable } from "./SheetTable";
import { SheetToolbar } from "./SheetToolbar";
import { StatusBar } from "./StatusBar";
import { boxOf, isAt, type Selection, within } from "./selection";
import { useAddress } from "./useAddress";
import { useApply } from "./useApply";
import { useCellEdit } from "./useCellEdit";
import { useClipboard } from "./useClipboard";
import { useFilters } from "./useFilters";
import { useGridCommands } from "./useGridCommands";
import { useIdentical } from "./useIdentical";
import { useInspected } from "./useInspected";
import { useJumps } from "./useJumps";
import { useLayout } from "./useLayout";
import { useSession } from "./useSession";
import { useSheetKeys } from "./useSheetKeys";
import type { SheetView } from "./useSheetView";
import { useSoughtCell } from "./useSoughtCell";

type Props = {
  sheet: Sheet;
  dataset: Dataset;
  place: Place;
  /** The inspector opens. */
  onInspect: () => void;
  start: SheetStart | undefined;
  /** What it was to do first is done: it is not done again. */
  onStarted: () => void;
  /** The selected cell, for the inspector. */
  onInspected: (cell: InspectedCell | undefined) => void;
  /** The sheet was applied or discarded. */
  onGone: () => void;
};

/** A sheet to read and edit: bars above, the grid with its rail, the status below. */
export function SheetEditor(props: Props) {
  const { sheet, dataset, place, onInspect, start, onStarted, onInspected, onGone } = props;
  const session = useSession(sheet);
  const scroller = useRef<HTMLDivElement>(null);
  const view = useRef<SheetView | undefined>(undefined);
  const [layout, setLayout] = useLayout(dataset.name);
  const { filters, setFilters } = useFilters(session, place.filter);
  const [chosen, setChosen] = useSoughtCell(session, sheet, place);
  const [dialog, setDialog] = useState<Dialog>();
  const [menu, setMenu] = useState<OpenMenu>();
  const [finding, setFinding] = useState<"find" | "replace">();
  const [message, say] = useState("");
  const identical = useIdentical(session);

  const selection = chosen && within(chosen, session.count, session.columns.length || sheet.columns.length);
  const box = selection && boxOf(selection);
  const clipboard = useClipboard(session, box, say);
  const row = selection && session.pages.row(selection.cursor.row);
  const column = selection && session.columns[selection.cursor.column];
  const here = row !== undefined && isRow(row) && column && selection ? { row, column } : undefined;
  const look = here && selection && lookOf(session, here.row, here.column, selection.cursor.column);

  const columnName = column?.name;
  const filterText = writeFilters(filters);
  const cursorRow = filterText === undefined ? selection?.cursor.row : (here?.row.rid ?? undefined);
  useInspected(session, dataset.name, selection && { here: here && look && { ...here, look } }, onInspected);
  useAddress(dataset.name, cursorRow, columnName, filterText);

  const names = session.columns.map((each) => each.name);
  const takeKeys = () => scroller.current?.focus({ preventScroll: true });
  // What has the focus now is still there until the page is drawn anew.
  const focusGrid = () => requestAnimationFrame(takeKeys);
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, so that keys work without a click first
  useEffect(() => {
    if (document.activeElement === null || document.activeElement === document.body) focusGrid();
  }, []);
  const isShown = names.map((name) => !layout.hidden.includes(name));
  const choose = (next: Selection | undefined) => {
    if (next === undefined) return setChosen(undefined);
    const cursor = {
      ...next.cursor,
      column: shownColumn(next.cursor.column, selection?.cursor.column ?? 0, isShown),
    };
    setChosen({ anchor: isAt(next.anchor, next.cursor) ? cursor : next.anchor, cursor });
  };
  const select = (next: Selection | undefined) => {
    choose(next);
    say("");
    identical.leave();
  };
  const told = (work: Promise<string>) =>
    void work.then(say, (error: unknown) => say(error instanceof Error ? error.message : "It could not be done."));

  const { editing, begin, finish, type } = useCellEdit(session, selection, {
    onMove: choose,
    onLeave: takeKeys, // at once: the next key may come before the next frame
    onEdited: (edited, name) => void identical.ask(edited, name),
  });

  const isReady = start === "typing" ? here !== undefined : names.length > 0;
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, when the cell or the columns are there
  useEffect(() => {
    if (!isReady || start === undefined) return;
    onStarted();
    if (start === "typing") begin("cell", false);
    else setDialog(start);
  }, [isReady]);

  const jumps = useJumps(session, {
    names,
    selection,
    say,
    onShow: (name) => setLayout({ hidden: layout.hidden.filter((each) => each !== name) }),
    onFound: setChosen,
    onGo: (next) => {
      select(next);
      focusGrid();
    },
  });
  const undo = (operation: "undo" | "redo") => {
    if (operation === "undo" ? session.pending === 0 : session.sheet.undone === 0) return;
    // What is still on its way to the server has no sentence yet.
    const last = session.unsent === 0 ? session.sheet.sentence : null;
    say(operation === "undo" ? `Took back: ${last ?? "the last edit."}` : "Done again.");
    session.do(operation);
    identical.leave();
  };

  const onCommand = useGridCommands(
    { session, selection, scroller },
    {
      select,
      begin: (isQuick) => begin("cell", isQuick),
      undo,
      jump: jumps.toDoubt,
      find: setFinding,
      inspect: onInspect,
      open: setMenu,
      apply: () => applyNow(),
      told,
    },
  );
  useSheetKeys(session, selection, onCommand);

  const ask = {
    filter: (name: string) => setDialog({ kind: "filter", at: filters.length, column: name }),
    facet: (name: string) => setDialog({ kind: "facet", at: placeOfChoice(filters, name), column: name }),
    cluster: (name: string) => setDialog({ kind: "cluster", column: name }),
    check: (name: string) => setDialog({ kind: "check", column: name }),
    range: (name: string) => setDialog({ kind: "range", column: name }),
    change: (change: ChangeName, name: string) => setDialog({ kind: "change", change, column: name }),
    add: (after: string) => setDialog({ kind: "add", after }),
    rename: (name: string) => setDialog({ kind: "rename", column: name }),
    insert: (after: string | null) => setDialog({ kind: "insert", after }),
    layout: setLayout,
  };
  const closeDialog = () => {
    setDialog(undefined);
    focusGrid();
  };
  const leaveFor = ({ notebook, cell }: AppliedStep) => {
    session.forget();
    goTo({ notebook });
    focusCellOnceThere(cell);
  };
  const applyNow = useApply(session, {
    onApplied: leaveFor,
    onHomeless: () => setDialog({ kind: "apply" }),
    onFailed: say,
  });
  const every = box ?? { top: 0, bottom: 0, left: 0, right: 0 };

  return (
    <>
      <div className={styles.sheet}>
        <SheetToolbar
          session={session}
          newest={dataset.version}
          hasSelection={selection !== undefined}
          onUndo={() => undo("undo")}
          onRedo={() => undo("redo")}
          onRowMenu={(anchor) => setMenu({ kind: "row", column: 0, anchor })}
          onColumnMenu={(anchor) => setMenu({ kind: "column", column: selection?.cursor.column ?? 0, anchor })}
          onFind={() => setFinding("replace")}
          onApply={applyNow}
          onApplyAs={() => setDialog({ kind: "apply" })}
          onDiscard={() => setDialog({ kind: "discard" })}
          onReopen={() => {
            session.forget();
            onGone();
          }}
        />
        <FormulaBar
          name={selection ? cellName(here ? { ...selection.cursor, row: here.row.position } : selection.cursor) : ""}
          source={look?.source ?? ""}
          editing={editing}
          isReady={here !== undefined}
          onGo={jumps.toPlace}
          onBegin={() => begin("bar", false)}
          onType={type}
          onFinish={finish}
        />
        <FilterBar
          filters={filters}
          shown={session.count}
          total={session.sheet.count}
          onAdd={() => ask.filter(column?.name ?? names[0] ?? "")}
          onEdit={(at) => {
            const { column: name = "", test = "is" } = filters[at] ?? {};
            setDialog({ kind: isChoice(test) ? "facet" : "filter", at, column: name });
          }}
          hidden={names.filter((name) => layout.hidden.includes(name))}
          onShow={() => setLayout({ hidden: [] })}
          onRemove={(at) => setFilters(filters.filter((_, i) => i !== at))}
          onClear={() => setFilters([])}
          onKeepOnly={() => {
            if (session.where !== undefined) session.do("filter", { where: session.where });
            setFilters([]);
          }}
        />
        {finding && (
          <FindBar
            withReplace={finding === "replace"}
            column={column?.name}
            rows={session.where === undefined ? undefined : session.sheet.count}
            onFind={jumps.toText}
            onReplace={(asked) => {
              session.do("replace", asked);
              say(`Replaced “${asked.find}” with “${asked.replacement}” in all rows.`);
            }}
            onClose={() => {
              setFinding(undefined);
              focusGrid();
            }}
          />
        )}
        <SheetTable
          grid={{
            session,
            label: `${dataset.name}, sheet`,
            scroller,
            layout,
            selection,
            editing,
            doubtful: dataset.doubt.columns,
            view,
            onSelect: select,
            onCommand,
            onType: type,
            onFinish: finish,
            onCopy: clipboard.onCopy,
            onPaste: clipboard.onPaste,
          }}
          identical={identical}
          onLayout={setLayout}
          onMenu={(at, anchor) => setMenu({ kind: "column", column: at, anchor })}
          onInsertRow={() => told(insertRows(session, every, "above"))}
          onAllRows={() => setFilters([])}
          onSay={say}
          takeFocus={focusGrid}
        />
        <StatusBar session={session} box={box} message={look?.problem ?? message} />
      </div>
      {menu && (
        <SheetMenus
          menu={menu}
          session={session}
          names={names}
          layout={layout}
          width={view.current?.tracks[menu.column]?.width ?? 120}
          box={every}
          ask={ask}
          told={told}
          onClose={() => setMenu(undefined)}
        />
      )}
      {dialog && (
        <SheetDialogs
          dialog={dialog}
          session={session}
          dataset={dataset}
          names={names}
          filters={filters}
          onFilters={setFilters}
          onClose={closeDialog}
          onApplied={leaveFor}
          onGone={onGone}
          say={say}
        />
      )}
      {clipboard.paste && (
        <PasteDialog
          paste={clipboard.paste}
          columns={session.columns}
          numberOf={(place) => session.numberOf(place)}
          onPaste={() => {
            clipboard.accept();
            focusGrid();
          }}
          onClose={() => {
            clipboard.close();
            focusGrid();
          }}
        />
      )}
    </>
  );
}
