const FRAME = /^ {2}File ".*", line \d+/;

/** Which line of a traceback holds the code that was running: below the last frame that is named. */
export function failedLine(lines: readonly string[]): number | undefined {
  const frame = lines.findLastIndex((line) => FRAME.test(line));
  const code = lines[frame + 1];
  return frame >= 0 && code?.startsWith("    ") ? frame + 1 : undefined;
}
