import { useEffect, useRef, useState } from "react";
import type { Dataset } from "../api/client";
import { isRow } from "../grid/PageCache";
import type { InspectedCell } from "../inspector/InspectedCell";
import { focusRegion } from "../shell/regions";
import { goTo, type Place } from "../state/place";
import { Notice } from "../ui/Notice";
import type { Sheet } from "./api";
import { lookOf } from "./cellLook";
import type { ChangeName } from "./columnChanges";
import { moveColumn } from "./columnItems";
import type { Dialog, OpenMenu, SheetStart } from "./dialogs";
import { FilterBar } from "./FilterBar";
import { FindBar } from "./FindBar";
import { FormulaBar } from "./FormulaBar";
import { isChoice, placeOfChoice, writeFilters } from "./filters";
import type { GridCommand } from "./gridKeys";
import { IdenticalOffer } from "./IdenticalOffer";
import { shownColumn } from "./layout";
import { cellName } from "./letters";
import { PasteDialog } from "./PasteDialog";
import { clearCells, fillDown, insertRows } from "./rowActions";
import { SheetDialogs } from "./SheetDialogs";
import styles from "./SheetEditor.module.css";
import { SheetGrid } from "./SheetGrid";
import { SheetMenus } from "./SheetMenus";
import { SheetToolbar } from "./SheetToolbar";
import { StatusBar } from "./StatusBar";
import { boxOf, isAt, type Selection, single, within } from "./selection";
import { useApply } from "./useApply";
import { useCellEdit } from "./useCellEdit";
import { useClipboard } from "./useClipboard";
import { useFilters } from "./useFilters";
import { useIdentical } from "./useIdentical";
import { useInspected } from "./useInspected";
import { useJumps } from "./useJumps";
import { useLayout } from "./useLayout";
import { useSession } from "./useSession";
import { useSheetKeys } from "./useSheetKeys";
import type { SheetView } from "./useSheetView";
import { useSoughtRow } from "./useSoughtRow";

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
  const [chosen, setChosen] = useState<Selection | undefined>(() => startAt(place, sheet));
  useSoughtRow(session, place, (row, name) => {
    const column = sheet.columns.indexOf(name);
    if (column >= 0) setChosen((already) => already ?? single({ row, column }));
  });
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
  useEffect(() => {
    goTo({
      dataset: dataset.name,
      view: "sheet",
      ...(cursorRow !== undefined && columnName !== undefined && { row: cursorRow, column: columnName }),
      ...(filterText !== undefined && { filter: filterText }),
    });
  }, [dataset.name, cursorRow, columnName, filterText]);

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

  const onCommand = (command: GridCommand) => {
    switch (command.do) {
      case "select":
        return select(command.selection);
      case "edit":
        return begin("cell", command.isQuick);
      case "clear":
        return box && told(clearCells(session, box));
      case "fill":
        return box && told(fillDown(session, box));
      case "undo":
      case "redo":
        return undo(command.do);
      case "doubt":
        return jumps.toDoubt(command.direction);
      case "goTo":
        return document.querySelector<HTMLElement>("[data-name-box]")?.focus();
      case "find":
      case "replace":
        return setFinding(command.do);
      case "history":
      case "precedents":
        onInspect();
        return focusRegion("inspector");
      case "columnMenu": {
        const header = scroller.current?.querySelector(`[data-header="${selection?.cursor.column}"]`);
        if (header && selection)
          setMenu({ kind: "column", column: selection.cursor.column, anchor: header.getBoundingClientRect() });
        return;
      }
      case "apply":
        return applyNow();
      case "leave":
        return select(undefined);
    }
  };

  useSheetKeys(session, selection, onCommand);

  const ask = {
    filter: (name: string) => setDialog({ kind: "filter", at: filters.length, column: name }),
    facet: (name: string) => setDialog({ kind: "facet", at: placeOfChoice(filters, name), column: name }),
    cluster: (name: string) => setDialog({ kind: "cluster", column: name }),
    check: (name: string) => setDialog({ kind: "check", column: name }),
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
  const leaveFor = (notebook: string) => {
    session.forget();
    goTo({ notebook });
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
        <div className={styles.table}>
          <SheetGrid
            session={session}
            label={`${dataset.name}, sheet`}
            scroller={scroller}
            layout={layout}
            selection={selection}
            editing={editing}
            doubtful={dataset.doubt.columns}
            header={{
              onPick: (at, extend) =>
                select({
                  anchor: {
                    row: Math.max(0, session.count - 1),
                    column: extend && selection ? selection.anchor.column : at,
                  },
                  cursor: { row: 0, column: at },
                }),
              onMove: (one, other) => moveColumn(session, one, other),
              onMenu: (at, anchor) => setMenu({ kind: "column", column: at, anchor }),
              onLayout: setLayout,
            }}
            onSelect={select}
            onCommand={onCommand}
            onType={type}
            onFinish={finish}
            onCopy={clipboard.onCopy}
            onPaste={clipboard.onPaste}
            view={view}
            onJump={(to) => {
              select(single({ row: to, column: selection?.cursor.column ?? 0 }));
              focusGrid();
            }}
          />
          {session.count === 0 && session.columns.length > 0 && (
            <div className={styles.empty}>
              <Notice
                title={session.where === undefined ? "The sheet has no rows." : "No row passes the filters."}
                action={
                  session.where === undefined
                    ? { label: "Insert a row", run: () => told(insertRows(session, every, "above")) }
                    : { label: "All rows", run: () => setFilters([]) }
                }
              />
            </div>
          )}
          {identical.offer && (
            <IdenticalOffer
              cells={identical.offer.cells}
              isFiltered={session.where !== undefined}
              column={identical.offer.column}
              onTake={() => {
                const { key, column: name, cells } = identical.offer ?? { key: "", column: "", cells: 0 };
                session.do("apply_to_identical", { row: key, column: name });
                say(`Did the same to ${cells.toLocaleString("en")} cells.`);
                identical.leave();
                focusGrid();
              }}
              onLeave={() => {
                identical.leave();
                focusGrid();
              }}
            />
          )}
        </div>
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

function startAt(place: Place, sheet: Sheet): Selection | undefined {
  const column = sheet.columns.indexOf(place.column ?? "");
  return place.filter !== undefined || place.row === undefined || column < 0
    ? undefined
    : single({ row: place.row, column });
}
