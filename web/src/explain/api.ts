import { keepPreviousData, useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { client, type Schemas, unwrap } from "../api/client";

export type Question = Schemas["QuestionView"];
export type Facet = Schemas["FacetView"];
export type Bar = Schemas["FacetBar"];
export type Answer = Schemas["AnswerView"];
export type Clause = Schemas["ClauseView"];
export type Asked = Schemas["SearchAnswers"];
export type FewRows = Schemas["FewRowsView"];
export type Search = Schemas["SearchView"];
export type Preview = Schemas["AnswerPreview"];

/** What may explain the marks of a chart; refused with the reason where they are no aggregates. */
export function useQuestion(chart: string | undefined) {
  return useQuery({
    queryKey: ["question", chart],
    enabled: chart !== undefined,
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
    queryFn: ({ signal }) => unwrap(client.POST("/api/questions", { body: { chart: chart ?? "" }, signal })),
  });
}

const path = (question: string) => ({ params: { path: { question } } });
const OFTEN = 300;

/** How the search stands; read again and again while it runs. */
export function useSearchState(question: string | undefined) {
  return useQuery<Search>({
    queryKey: ["search", question],
    enabled: question !== undefined,
    refetchInterval: ({ state }) => (state.data?.state === "running" ? OFTEN : false),
    queryFn: ({ signal }) => unwrap(client.GET("/api/questions/{question}", { ...path(question ?? ""), signal })),
  });
}

export function useSearching(question: string) {
  const queries = useQueryClient();
  const onSuccess = (found: Search) => queries.setQueryData(["search", question], found);
  return {
    search: useMutation({
      mutationFn: (body: Asked) => unwrap(client.POST("/api/questions/{question}/search", { ...path(question), body })),
      onSuccess,
    }),
    stop: useMutation({
      mutationFn: () => unwrap(client.POST("/api/questions/{question}/stop", path(question))),
      onSuccess,
    }),
  };
}

/** How many rows two predicates take, and how many both do. */
export function useOverlap(question: string, one: Clause[], other: Clause[]) {
  return useQuery({
    queryKey: ["overlap", question, one, other],
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
    queryFn: ({ signal }) =>
      unwrap(client.POST("/api/questions/{question}/compare", { ...path(question), body: { one, other }, signal })),
  });
}

/** The chart without some rows, or with them alone. */
export function usePreview(question: string, clauses: Clause[] | undefined, keep: boolean) {
  return useQuery({
    queryKey: ["preview", question, clauses, keep],
    enabled: clauses !== undefined && clauses.length > 0,
    staleTime: Number.POSITIVE_INFINITY,
    placeholderData: keepPreviousData,
    retry: false,
    queryFn: ({ signal }) =>
      unwrap(
        client.POST("/api/questions/{question}/preview", {
          ...path(question),
          body: { clauses: clauses ?? [], keep },
          signal,
        }),
      ),
  });
}
