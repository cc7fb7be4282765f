import { type ComponentType, lazy } from "react";
import StartPage from "./StartPage";

/** The views that stand beside notebooks and datasets, by the name they have in the address; each is fetched when opened. */
export const VIEWS: Record<string, { title: string; View: ComponentType }> = {
  start: { title: "Start", View: StartPage },
  caveats: { title: "Caveats", View: lazy(() => import("../caveats/CaveatView")) },
  chart: { title: "Chart", View: lazy(() => import("../charts/ChartView")) },
  canvas: { title: "Linked charts", View: lazy(() => import("../charts/CanvasView")) },
  explain: { title: "Explain", View: lazy(() => import("../explain/ExplainView")) },
  lineage: { title: "Lineage", View: lazy(() => import("../lineage/LineageView")) },
};
