import { useState } from "react";
import { type Edits, type Notebook, useVersion } from "../api/notebooks";
import { setParams } from "../state/params";
import { Notice } from "../ui/Notice";
import { Skeleton } from "../ui/Skeleton";
import compare from "./Compare.module.css";
import { OldCell } from "./OldCell";
import styles from "./OldVersion.module.css";

type Props = { notebook: Notebook; version: number; edits: Edits };

/** An earlier version to read: what its cells said and made, with ways to bring it back, branch off, or compare. */
export function OldVersion({ notebook, version, edits }: Props) {
  const [isNaming, setNaming] = useState(false);
  const cells = useVersion(notebook.name, version);
  const close = () => setParams({ version: undefined }, true);
  return (
    <div className={compare.compare}>
      <div className={compare.banner}>
        <h1 className={compare.title}>{`Viewing version ${version}, read only`}</h1>
        <button type="button" className="button" onClick={() => edits.restore.mutate(version, { onSuccess: close })}>
          Restore this version
        </button>
        {isNaming ? (
          <form
            onSubmit={(event) => {
              event.preventDefault();
              const name = String(new FormData(event.currentTarget).get("branch") ?? "").trim();
              if (!name) return;
              edits.branch.mutate(
                { name, at: version },
                { onSuccess: () => edits.checkOut.mutate(name, { onSuccess: close }) },
              );
            }}
          >
            <input
              className={styles.name}
              name="branch"
              aria-label="Name of the new branch"
              placeholder="name of the branch"
              ref={(element) => element?.focus()}
            />
          </form>
        ) : (
          <button type="button" className="button" onClick={() => setNaming(true)}>
            Branch here
          </button>
        )}
        <button
          type="button"
          className="button"
          onClick={() => setParams({ version: undefined, compare: `${version}-${notebook.version}` }, true)}
        >
          Compare with now
        </button>
        <button type="button" className="button" onClick={close}>
          Back to now
        </button>
      </div>
      {cells.isError && <Notice title={cells.error.message} isError />}
      {cells.isPending && <Skeleton label="Loading the version" />}
      {cells.data?.length === 0 && <Notice title="This version has no cells." />}
      {cells.data?.map((cell) => (
        <OldCell key={cell.id} cell={cell} />
      ))}
    </div>
  );
}
