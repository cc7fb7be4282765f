import type { UseQueryResult } from "@tanstack/react-query";
import type { Dataset } from "../api/client";
import { goTo } from "../state/place";
import { Notice } from "../ui/Notice";
import { Skeleton } from "../ui/Skeleton";
import StartPage from "./StartPage";

type Props = { query: UseQueryResult<Dataset[]>; missing: string | undefined; isShared: boolean };

/** What the middle of the page shows when there is no dataset to show. */
export function Start({ query, missing, isShared }: Props) {
  if (query.isPending) return <Skeleton label="Loading" lines={8} />;
  if (query.isError)
    return (
      <Notice title={query.error.message} isError action={{ label: "Retry", run: () => void query.refetch() }}>
        The list of datasets could not be read.
      </Notice>
    );
  if (missing !== undefined && query.data.length > 0)
    return (
      <Notice title={`There is no dataset ${missing}.`} action={{ label: "Show the newest", run: () => goTo({}) }}>
        It may have been renamed, or the link may be from another workspace.
      </Notice>
    );
  return isShared ? <Notice title="There is nothing to show here." /> : <StartPage />;
}
