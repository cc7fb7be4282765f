import { useDatasets } from "../api/queries";
import { Notice } from "../ui/Notice";
import { PlaceLink } from "../ui/PlaceLink";

/** In place of the question where the rows behind the marks have no column that could answer it; says where there are more. */
export function NoColumns({ dataset }: { dataset: string }) {
  const datasets = useDatasets().data ?? [];
  const sources = datasets.find(({ name }) => name === dataset)?.made_from.map(({ name }) => name) ?? [];
  const drawable = sources.filter((source) => datasets.some(({ name }) => name === source));
  return (
    <Notice title={`${dataset} has no column left that may explain the marks.`}>
      {drawable.length === 0
        ? "Draw a chart of a dataset that has more columns than the chart shows."
        : "A chart of the rows it was made from has more columns: "}
      {drawable.map((source) => (
        <p key={source}>
          <PlaceLink place={{ view: "chart", dataset: source }}>{`Draw ${source} as a chart`}</PlaceLink>
        </p>
      ))}
    </Notice>
  );
}
