import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { client, unwrap } from "../api/client";

/** How long a form is left alone before its preview is asked for. */
const PAUSE = 400;

type Values = Record<string, unknown>;

/** What a cell would do with these values. A newer question takes the place of one that is still being answered. */
export function useCellPreview(notebook: string, cell: string, values: Values, isOn: boolean) {
  const asked = useLater(JSON.stringify(values), PAUSE);
  const [form] = useState(() => crypto.randomUUID());
  return useQuery({
    queryKey: ["cell preview", notebook, cell, asked],
    enabled: isOn,
    gcTime: 0,
    retry: false,
    placeholderData: keepPreviousData,
    queryFn: ({ signal }) =>
      unwrap(
        client.POST("/api/notebooks/{name}/cells/{cell}/preview", {
          params: { path: { name: notebook, cell } },
          body: { values: JSON.parse(asked) as Values, form },
          signal,
        }),
      ),
  });
}

/** A text once it has stayed the same for a while. */
function useLater(text: string, milliseconds: number): string {
  const [later, setLater] = useState(text);
  useEffect(() => {
    const timer = setTimeout(() => setLater(text), milliseconds);
    return () => clearTimeout(timer);
  }, [text, milliseconds]);
  return later;
}
