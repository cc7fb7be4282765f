/** The own name of a file that the workspace keeps by its content; undefined for any other path. */
export function fileOf(path: string): string | undefined {
  return /^uploads\/[0-9a-f]{64}\/(.+)$/s.exec(path)?.[1];
}
