import { useQueryClient } from "@tanstack/react-query";
import type { ComponentProps } from "react";
import { Notice } from "../ui/Notice";
import { Skeleton } from "../ui/Skeleton";
import { SheetEditor } from "./SheetEditor";
import { useSheet } from "./useSession";

type Props = Omit<ComponentProps<typeof SheetEditor>, "sheet" | "onGone">;

/** The rows of a dataset to edit: opens its sheet, then shows it. */
export default function SheetPage(props: Props) {
  const sheet = useSheet(props.dataset.name);
  const queries = useQueryClient();
  if (sheet.data) {
    const again = () => queries.resetQueries({ queryKey: ["sheet", props.dataset.name] });
    return <SheetEditor key={sheet.data.id} {...props} sheet={sheet.data} onGone={() => void again()} />;
  }
  return sheet.isError ? (
    <Notice title={sheet.error.message} isError action={{ label: "Retry", run: () => void sheet.refetch() }} />
  ) : (
    <Skeleton label="Opening the sheet" lines={8} />
  );
}
