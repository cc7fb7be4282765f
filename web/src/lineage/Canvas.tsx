import { type KeyboardEvent, type PointerEvent, useEffect, useMemo, useRef, useState } from "react";
import { isKey, keysFor } from "../state/keymap";
import { useColours } from "../state/theme";
import { saveText } from "../text/save";
import { Icon, type IconName } from "../ui/Icon";
import { Triangle } from "../ui/Triangle";
import styles from "./Canvas.module.css";
import { type Drawn, type Node, neighbours } from "./graph";
import { HEIGHT, layOut, type Placed, WIDTH } from "./layOut";
import { toSvg } from "./toSvg";

type Props = {
  /** What the picture is called when it is saved. */
  name: string;
  drawn: Drawn;
  selected: string | undefined;
  second: string | undefined;
  /** What belongs to the selection; all the rest steps back. */
  lit: Set<string> | undefined;
  isTall: boolean;
  onSelect: (id: string, isSecond: boolean) => void;
  onOpen: (id: string) => void;
  onExpand: (id: string, side: "up" | "down") => void;
  onFold: (id: string) => void;
};

type View = { x: number; y: number; scale: number };

/** The graph itself: boxes that take the focus, lines between them, dragging to move, the wheel to come closer. */
export function Canvas(props: Props) {
  const { name, drawn, selected, second, lit, isTall, onSelect, onOpen, onExpand, onFold } = props;
  const layout = useMemo(() => layOut(drawn, isTall), [drawn, isTall]);
  const colours = useColours();
  const frame = useRef<HTMLDivElement>(null);
  const [view, setView] = useState<View>({ x: 0, y: 0, scale: 1 });
  const dragged = useRef<{ x: number; y: number; from: View }>(undefined);

  const showAll = () => {
    const box = frame.current?.getBoundingClientRect();
    if (!box || layout.width === 0) return;
    const scale = Math.min(1, box.width / layout.width, box.height / layout.height);
    setView({
      scale,
      x: (box.width - layout.width * scale) / 2,
      y: Math.max(0, (box.height - layout.height * scale) / 2),
    });
  };
  // biome-ignore lint/correctness/useExhaustiveDependencies: another drawing is shown as a whole first
  useEffect(() => showAll(), [layout]);
  useEffect(() => {
    const element = frame.current;
    if (element === null) return;
    const onWheel = (event: WheelEvent) => {
      event.preventDefault();
      const box = element.getBoundingClientRect();
      const [x, y] = [event.clientX - box.left, event.clientY - box.top];
      setView((now) => {
        const scale = Math.min(2, Math.max(0.2, now.scale * Math.exp(-event.deltaY / 500)));
        const by = scale / now.scale;
        return { scale, x: x - (x - now.x) * by, y: y - (y - now.y) * by };
      });
    };
    // React adds wheel listeners as passive ones, which may not keep the page from scrolling.
    element.addEventListener("wheel", onWheel, { passive: false });
    return () => element.removeEventListener("wheel", onWheel);
  }, []);

  const onPointerDown = (event: PointerEvent) => {
    if ((event.target as HTMLElement).closest("button") !== null) return;
    dragged.current = { x: event.clientX, y: event.clientY, from: view };
    event.currentTarget.setPointerCapture(event.pointerId);
  };
  const onPointerMove = (event: PointerEvent) => {
    const start = dragged.current;
    if (start)
      setView({ ...start.from, x: start.from.x + event.clientX - start.x, y: start.from.y + event.clientY - start.y });
  };
  const focus = (id: string | undefined) => {
    if (id === undefined) return;
    frame.current?.querySelector<HTMLElement>(`[data-node="${CSS.escape(id)}"]`)?.focus();
  };
  const onKeyDown = (event: KeyboardEvent, { node, x, y }: Placed) => {
    const [back, ahead] = isTall ? ["ArrowUp", "ArrowDown"] : ["ArrowLeft", "ArrowRight"];
    const [before, after] = isTall ? ["ArrowLeft", "ArrowRight"] : ["ArrowUp", "ArrowDown"];
    if (event.key === back) focus(neighbours(node.id, drawn.edges, "up")[0]);
    else if (event.key === ahead) focus(neighbours(node.id, drawn.edges, "down")[0]);
    else if (event.key === before || event.key === after) {
      const at = (each: Placed) => (isTall ? each.x : each.y);
      const rank = layout.nodes.filter((each) => (isTall ? each.y === y : each.x === x)).sort((a, b) => at(a) - at(b));
      const here = rank.findIndex((each) => each.node.id === node.id);
      focus(rank[here + (event.key === after ? 1 : -1)]?.node.id);
    } else if (event.key === "+") {
      onExpand(node.id, "up");
      onExpand(node.id, "down");
    } else if (event.key === "-") onFold(node.id);
    else if (isKey(event, "showAll")) showAll();
    else if (event.key === "Enter") onOpen(node.id);
    else return;
    event.preventDefault();
  };
  return (
    <div
      ref={frame}
      className={styles.canvas}
      onPointerDown={onPointerDown}
      onPointerMove={onPointerMove}
      onPointerUp={() => {
        dragged.current = undefined;
      }}
    >
      <section
        className={styles.world}
        style={{ transform: `translate(${view.x}px, ${view.y}px) scale(${view.scale})` }}
        aria-label="Graph"
      >
        <svg className={styles.edges} width={layout.width} height={layout.height} aria-hidden="true">
          <defs>
            <marker
              id="tip"
              viewBox="0 0 8 8"
              refX="7"
              refY="4"
              markerWidth="9"
              markerHeight="9"
              orient="auto"
              markerUnits="userSpaceOnUse"
            >
              <path d="M0 0 8 4 0 8z" />
            </marker>
          </defs>
          {layout.edges.map(({ edge, path }) => (
            <path
              key={`${edge.from} ${edge.to}`}
              d={path}
              markerEnd="url(#tip)"
              data-deciding={edge.isDeciding || undefined}
              data-faint={(lit && !(lit.has(edge.from) && lit.has(edge.to))) || undefined}
              data-lit={(lit?.has(edge.from) && lit.has(edge.to)) || undefined}
            />
          ))}
        </svg>
        {layout.nodes.map((placed) => (
          <div key={placed.node.id} className={styles.place} style={{ left: placed.x, top: placed.y }}>
            <button
              type="button"
              className={styles.node}
              style={{ width: WIDTH, height: HEIGHT }}
              data-node={placed.node.id}
              data-faint={(lit && !lit.has(placed.node.id)) || undefined}
              aria-pressed={placed.node.id === selected || placed.node.id === second}
              onClick={(event) => onSelect(placed.node.id, event.shiftKey)}
              onDoubleClick={() => onOpen(placed.node.id)}
              onKeyDown={(event) => onKeyDown(event, placed)}
            >
              <Icon name={iconOf(placed.node)} />
              <span className={styles.title}>{placed.node.title}</span>
              <span className={styles.detail}>{placed.node.detail}</span>
              {placed.node.isDoubtful && <Triangle label="doubtful" />}
            </button>
            <More node={placed.node} isTall={isTall} onExpand={onExpand} />
          </div>
        ))}
      </section>
      <div className={styles.acts}>
        <button type="button" onClick={() => saveText(`${name}.svg`, "image/svg+xml", toSvg(layout, lit, colours))}>
          Save the picture
        </button>
        <button type="button" onClick={showAll}>
          Fit <kbd>{keysFor("showAll")}</kbd>
        </button>
      </div>
    </div>
  );
}

const ICONS: Record<string, IconName> = { load: "file", sql: "sql", value: "cell", start: "cell" };

function iconOf({ kind }: Node): IconName {
  return ICONS[kind] ?? "code";
}

type MoreProps = { node: Node; isTall: boolean; onExpand: (id: string, side: "up" | "down") => void };

/** Buttons on either side of a box for the neighbours that are not drawn. */
function More({ node, isTall, onExpand }: MoreProps) {
  return (["up", "down"] as const).map(
    (side) =>
      node.hidden[side] > 0 && (
        <button
          key={side}
          type="button"
          className={styles.more}
          data-side={side}
          data-tall={isTall || undefined}
          aria-label={`Show ${node.hidden[side]} more ${side === "up" ? "sources" : "results"} of ${node.title}`}
          onClick={() => onExpand(node.id, side)}
        >
          +{node.hidden[side]}
        </button>
      ),
  );
}
