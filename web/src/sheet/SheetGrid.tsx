import { type ClipboardEvent, type KeyboardEvent, type PointerEvent, type RefObject, useId, useRef } from "react";
import { flushSync } from "react-dom";
import { GridFrame } from "../grid/GridFrame";
import type { Cursor } from "../grid/moves";
import { isRow } from "../grid/PageCache";
import { ROW_HEIGHT } from "../grid/rowScroll";
import { useBoundsTip } from "../grid/useBoundsTip";
import { useFollow } from "../grid/useFollow";
import { CaveatRail } from "./CaveatRail";
import { CellEditor } from "./CellEditor";
import type { Editing, Step } from "./Editing";
import { commandOf, type GridCommand } from "./gridKeys";
import type { Layout } from "./layout";
import { type HeaderActions, SheetHeader } from "./SheetHeader";
import { SheetRowView } from "./SheetRowView";
import type { SheetSession } from "./SheetSession";
import { boxOf, type Selection, single, spanIn } from "./selection";
import { HEADER, type SheetView, useSheetView } from "./useSheetView";

export type GridProps = {
  session: SheetSession;
  label: string;
  scroller: RefObject<HTMLDivElement | null>;
  layout: Layout;
  selection: Selection | undefined;
  editing: Editing | undefined;
  doubtful: readonly string[];
  header: HeaderActions;
  onSelect: (selection: Selection | undefined) => void;
  onCommand: (command: GridCommand) => void;
  onType: (text: string) => void;
  onFinish: (step: Step | "cancel") => void;
  onCopy: (event: ClipboardEvent) => void;
  onPaste: (event: ClipboardEvent) => void;
  /** Told what is in view. */
  view: RefObject<SheetView | undefined>;
  /** A click on the rail. */
  onJump: (row: number) => void;
};

/** The rows of a sheet, their selection and the field in which a cell is edited. */
export function SheetGrid(props: GridProps) {
  const { session, label, scroller, layout, selection, editing, doubtful, header } = props;
  const id = useId();
  const view = useSheetView(scroller, session, layout);
  const { geometry, size, top, tracks, formats, gutter, hasLines, frozen, columns: shown } = view;
  const isDragging = useRef(false);
  const isReady = { rows: size.height > 0, columns: tracks.length > 0 };
  useFollow(scroller, { ...view, fixed: frozen, isReady }, selection?.cursor);
  props.view.current = view;

  const { columns, pages } = session;
  const { tip, onPointerOver } = useBoundsTip(
    { name: session.sheet.dataset, version: session.sheet.version },
    doubtful.length > 0,
    (index, position) => {
      const row = pages.row(index);
      const column = columns[position];
      if (!isRow(row) || row.rid === null || !column?.base || row.edited.includes(position)) return undefined;
      if (row.formulas.has(position) || column.base_type !== column.type) return undefined;
      return { row: row.rid, column: column.base };
    },
  );
  const box = selection && boxOf(selection);
  const cursor = selection?.cursor;

  const onKeyDown = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return;
    const pageRows = Math.max(1, Math.floor(geometry.bodyHeight / ROW_HEIGHT) - 1);
    const command = commandOf(event, selection, { rows: session.count, columns: columns.length, pageRows });
    if (command === undefined) return;
    event.stopPropagation();
    if (command.do === "edit" && command.isQuick) {
      // The field opens before the browser puts the character in: input methods begin to compose in the right place.
      flushSync(() => props.onCommand(command));
      return;
    }
    event.preventDefault();
    if (command.do === "select") props.onSelect(command.selection);
    else props.onCommand(command);
  };

  const onPointerDown = (event: PointerEvent) => {
    const at = placeOf(event.target);
    if (at === undefined || event.button !== 0 || (event.target as HTMLElement).closest("input")) return;
    const last = { row: at.row, column: columns.length - 1 };
    if (at.column === undefined) props.onSelect({ anchor: last, cursor: { row: at.row, column: 0 } });
    else {
      const target = { row: at.row, column: at.column };
      props.onSelect(event.shiftKey && selection ? { anchor: selection.anchor, cursor: target } : single(target));
      isDragging.current = true;
    }
  };

  const onPointerMove = (event: PointerEvent) => {
    if (!isDragging.current || event.buttons !== 1) return;
    const at = placeOf(document.elementFromPoint(event.clientX, event.clientY));
    if (at?.column === undefined || selection === undefined) return;
    const target = { row: at.row, column: at.column };
    if (target.row !== cursor?.row || target.column !== cursor.column)
      props.onSelect({ anchor: selection.anchor, cursor: target });
  };

  const changes = session.snapshot();
  const editor = editing?.at === "cell" && (
    <CellEditor
      key={`${editing.row} ${editing.column}`}
      editing={editing}
      label={`${columns[editing.column]?.name ?? ""}, row ${editing.row + 1}`}
      onType={props.onType}
      onFinish={props.onFinish}
    />
  );

  return (
    <GridFrame
      id={id}
      label={label}
      scroller={scroller}
      view={view}
      pages={pages}
      columnCount={columns.length}
      headerHeight={HEADER}
      cursor={cursor}
      frozenCount={frozen.count}
      style={{ minHeight: 160 }}
      grid={{
        "aria-multiselectable": "true",
        onKeyDown,
        onPointerDown,
        onPointerMove,
        onPointerOver,
        onPointerUp: () => {
          isDragging.current = false;
        },
        onDoubleClick: (event) =>
          placeOf(event.target)?.column !== undefined && props.onCommand({ do: "edit", isQuick: false }),
        onCopy: props.onCopy,
        onPaste: props.onPaste,
      }}
      header={
        <SheetHeader session={session} view={view} layout={layout} box={box} doubtful={doubtful} actions={header} />
      }
      aside={
        <CaveatRail session={session} top={top} visible={geometry.bodyHeight / ROW_HEIGHT} onJump={props.onJump} />
      }
      renderRow={(index) => (
        <SheetRowView
          key={index}
          gridId={id}
          index={index}
          row={pages.row(index)}
          session={session}
          changes={changes}
          columns={columns}
          tracks={tracks}
          formats={formats}
          first={shown.first}
          end={shown.end}
          frozen={frozen}
          gutter={gutter}
          hasLines={hasLines}
          spanLeft={spanIn(box, index)?.left}
          spanRight={spanIn(box, index)?.right}
          active={cursor?.row === index ? cursor.column : undefined}
          editor={editing?.row === index ? editor || null : null}
          tip={tip?.row === index ? tip : undefined}
        />
      )}
    />
  );
}

/** The cell, or with its number the row, that an element belongs to. */
function placeOf(target: EventTarget | null): { row: number; column: Cursor["column"] | undefined } | undefined {
  const element = target instanceof HTMLElement ? target : null;
  const row = element?.closest<HTMLElement>("[data-row]")?.dataset.row;
  if (row === undefined) return undefined;
  const column = element?.closest<HTMLElement>("[data-column]")?.dataset.column;
  const isNumber = element?.closest('[role="rowheader"]') !== null;
  if (column === undefined && !isNumber) return undefined;
  return { row: Number(row), column: column === undefined ? undefined : Number(column) };
}
