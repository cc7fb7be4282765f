import { ScrollingText } from "../ui/ScrollingText";
import { failedLine } from "./failedLine";

/** Where an error happened, with the line of the cell that was running marked. */
export function Traceback({ text }: { text: string }) {
  const lines = text.split("\n");
  const failed = failedLine(lines);
  if (failed === undefined) return <ScrollingText label="Where it happened">{text}</ScrollingText>;
  return (
    <ScrollingText label="Where it happened">
      {`${lines.slice(0, failed).join("\n")}\n`}
      <mark>{lines[failed]}</mark>
      {`\n${lines.slice(failed + 1).join("\n")}`}
    </ScrollingText>
  );
}
