import { useWidths } from "../api/bounds";
import type { Dataset } from "../api/client";
import { widthSentence, widthWords } from "../inspector/boundsWords";

type Props = { dataset: Pick<Dataset, "name" | "version">; column: string };

/** In the header of a column: how wide the widest bounds of its doubtful cells are, as soon as they are known. */
export function WidthNote({ dataset, column }: Props) {
  const width = useWidths(dataset, true).data?.columns.find((each) => each.column === column);
  if (width === undefined || width.widest === null) return null;
  return <span title={widthSentence(width)}>{widthWords(width)}</span>;
}
