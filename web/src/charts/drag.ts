import type { DragEvent } from "react";
import type { Dragged } from "./parts";
import type { Path } from "./shelves";

const KIND = "application/x-whence-column";

/** What a column does while it is dragged, from the list of columns or from a shelf. */
export function dragOf(column: string, from?: Path) {
  return {
    draggable: true,
    onDragStart: (event: DragEvent) => {
      event.dataTransfer.setData(KIND, JSON.stringify({ column, from }));
      event.dataTransfer.effectAllowed = "copyMove";
    },
  };
}

/** What takes a column that is dropped. */
export function dropOf(onDrop: (dragged: Dragged) => void) {
  return {
    onDragOver: (event: DragEvent) => {
      if (event.dataTransfer.types.includes(KIND)) event.preventDefault();
    },
    onDrop: (event: DragEvent) => {
      const text = event.dataTransfer.getData(KIND);
      if (text === "") return;
      event.preventDefault();
      onDrop(JSON.parse(text) as Dragged);
    },
  };
}
