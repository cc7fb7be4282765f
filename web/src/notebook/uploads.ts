/** The own name of a file that the workspace keeps by its content; undefined for any other path. */
export function fileOf(path: string): string | undefined {
  return /^uploads\/[0-9a-f]{64}\/(.+)$/s.exec(path)?.[1];
}

/** A text about files that the workspace keeps, with few digits of their content instead of all. */
export function withShortUploads(text: string): string {
  return text.replace(/\buploads\/([0-9a-f]{7})[0-9a-f]{57}\/(\S+)/g, "$2 ($1)");
}
