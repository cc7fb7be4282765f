import type { Dataset, Schemas } from "../api/client";
import { SourceRows } from "../inspector/SourceRows";
import { goTo } from "../state/place";
import { rowWords } from "../text/cellName";
import { show } from "../text/value";
import { count, number, originWords, ROLE_WORDS } from "../text/words";
import { PlaceLink } from "../ui/PlaceLink";
import { Skeleton } from "../ui/Skeleton";
import { Sql } from "../ui/Sql";
import { useTraced } from "./api";
import { ColumnParts } from "./ColumnParts";
import { ancestorsOf, type Graph, labelOf } from "./graph";
import type { Level } from "./levels";
import styles from "./NodePanel.module.css";
import { WhyNot } from "./WhyNot";

type Props = {
  id: string | undefined;
  level: Level;
  graph: Graph | undefined;
  datasets: Dataset[];
  /** The dataset and row that lineage is followed from. */
  dataset: Dataset | undefined;
  row: number | undefined;
  way: Schemas["WayCell"] | undefined;
  columns: Schemas["ColumnGraph"] | undefined;
  onOpen: (id: string) => void;
  onSelect: (id: string) => void;
};

/** What is known about the selected node: how it was made, and the rows or values that take part. */
export function NodePanel(props: Props) {
  const { id, level, graph, datasets, dataset, row, way, columns, onOpen, onSelect } = props;
  const label = id?.split("\n")[0];
  const node = graph?.nodes.find((each) => labelOf(each) === label);
  return (
    <aside className={styles.panel} aria-label="About the selection">
      {id === undefined || (node === undefined && level !== "cells") ? (
        <p className={styles.none}>Select a box to see how it was made and which rows take part.</p>
      ) : level === "cells" ? (
        <CellFacts id={id} onOpen={onOpen} />
      ) : (
        node && (
          <>
            <h2 className={styles.title}>{id.replace(label ?? "", node.name).replace("\n", " · ")}</h2>
            <p className={styles.facts}>
              {`${originWords(node.origin)} · ${count(node.rows, "row")} · version ${node.version}${node.exact ? "" : " · coarse lineage"}`}
            </p>
            {node.origin === "sql" && (
              <div className={styles.code}>
                <Sql text={node.text} />
              </div>
            )}
            {node.origin !== "sql" && node.text && <p className={styles.text}>{node.text}</p>}
            <button
              type="button"
              className="button"
              disabled={!datasets.some((each) => labelOf(each) === label)}
              onClick={() => onOpen(id)}
            >
              Open the dataset
            </button>
            {level === "values" && way && <Values way={way} id={id} datasets={datasets} />}
            {level === "columns" && columns && <ColumnParts columns={columns} id={id} onSelect={onSelect} />}
            {level === "rows" && dataset && row !== undefined && labelOf(dataset) !== label && (
              <Rows from={dataset} row={row} node={node} graph={graph} datasets={datasets} />
            )}
            {(level === "rows" || level === "datasets") && graph && (
              <WhyNot
                key={labelOf(node)}
                into={node}
                sources={ancestorsOf(labelOf(node), graph)}
                from={level === "rows" ? dataset : undefined}
                row={row}
                datasets={datasets}
              />
            )}
          </>
        )
      )}
    </aside>
  );
}

function CellFacts({ id, onOpen }: { id: string; onOpen: (id: string) => void }) {
  return (
    <>
      <h2 className={styles.title}>{`Cell ${id.slice(id.lastIndexOf("/") + 1)}`}</h2>
      <p className={styles.facts}>{`of the notebook ${id.slice(0, id.lastIndexOf("/"))}`}</p>
      <button type="button" className="button" onClick={() => onOpen(id)}>
        Open the notebook
      </button>
    </>
  );
}

type RowsProps = {
  from: Dataset;
  row: number;
  node: Schemas["GraphNode"];
  graph: Graph | undefined;
  datasets: Dataset[];
};

/** The rows of a node that lie behind the chosen row, or were made from it. */
function Rows({ from, row, node, graph, datasets }: RowsProps) {
  const isBehind = graph !== undefined && ancestorsOf(labelOf(from), graph).includes(labelOf(node));
  const direction = isBehind ? "backward" : "forward";
  const traced = useTraced({ from, row, to: labelOf(node), direction });
  const dataset = datasets.find((each) => labelOf(each) === labelOf(node));
  if (traced.isError) return <p className={styles.none}>{traced.error.message}</p>;
  if (!traced.data) return <Skeleton label="Following the row" />;
  const found = traced.data;
  return (
    <section aria-label="Rows that take part">
      <h3 className={styles.part}>
        {`${count(found.count, "row")} ${direction === "backward" ? "behind" : "made from"} ${rowWords(row)} of ${from.name}`}
      </h3>
      <SourceRows
        step={{ ...node, dataset: node.name, groups: [], refs: [], count: found.count, rows: found.rows }}
        onOpen={
          dataset && ((rid: number) => goTo({ dataset: node.name, row: rid, column: dataset.columns[0]?.name ?? "" }))
        }
      />
      {found.count > found.rows.rids.length && (
        <p className={styles.none}>{`The first ${found.rows.rids.length} of ${number(found.count)}.`}</p>
      )}
    </section>
  );
}

/** The cells of one column on the way, each a link to where it stands. */
function Values({ way, id, datasets }: { way: Schemas["WayCell"]; id: string; datasets: Dataset[] }) {
  const cells = cellsAt(way, id);
  const role = cells[0]?.role;
  return (
    <section aria-label="Values that take part">
      <h3 className={styles.part}>{role ? `Values: ${ROLE_WORDS[role].meaning}` : "Value"}</h3>
      <ul className={styles.values}>
        {cells.map(({ cell }) => (
          <li key={cell.row}>
            {datasets.some((each) => each.name === cell.dataset && each.version === cell.version) ? (
              <PlaceLink className={styles.value} place={{ dataset: cell.dataset, row: cell.row, column: cell.column }}>
                {rowWords(cell.row)}
              </PlaceLink>
            ) : (
              <span>{rowWords(cell.row)}</span>
            )}
            <code data-doubtful={cell.is_doubtful || undefined}>{show(cell.value).text}</code>
            {cell.line !== null && <span>{`line ${number(cell.line)}`}</span>}
            {cell.origin !== "" && <span>{cell.origin}</span>}
          </li>
        ))}
      </ul>
    </section>
  );
}

type Found = { cell: Schemas["WayCell"]; role: Schemas["WayStep"]["role"] | undefined };

/** The cells of a tree that stand in one column of one dataset, each once. */
function cellsAt(way: Schemas["WayCell"], id: string): Found[] {
  const found = new Map<number, Found>();
  const visit = (cell: Schemas["WayCell"], role: Found["role"]) => {
    if (`${labelOf({ name: cell.dataset, version: cell.version })}\n${cell.column}` === id)
      found.set(cell.row, { cell, role });
    for (const step of cell.inputs) for (const each of step.cells) visit(each, step.role);
  };
  visit(way, undefined);
  return [...found.values()];
}
