import { useEffect, useRef, useState } from "react";
import { client, unwrap } from "../api/client";
import { useSeveralNotebooks } from "../api/notebooks";
import { say } from "../state/toast";
import { count, number } from "../text/words";
import { Icon } from "../ui/Icon";
import { PlaceLink } from "../ui/PlaceLink";
import { useActive } from "./active";
import styles from "./JobDock.module.css";
import { dismiss, duration, follow, type Job, NOTHING } from "./jobs";

/** What Spark is doing right now, one line for each cell that runs, with how far it is and a way to stop it. */
export function JobDock({ notebook }: { notebook: string | undefined }) {
  const active = useActive();
  const names = notebook === undefined || active.includes(notebook) ? active : [...active, notebook];
  const notebooks = useSeveralNotebooks(names);
  const known = useRef(NOTHING);
  known.current = follow(known.current, notebooks, Date.now());
  const [isOpen, setOpen] = useState(true);
  const [, tick] = useState(0);
  const { jobs } = known.current;
  const isBusy = jobs.some((job) => job.status === "running");
  useEffect(() => {
    if (!isBusy) return;
    const timer = setInterval(() => tick((now) => now + 1), 1000);
    return () => clearInterval(timer);
  }, [isBusy]);
  if (jobs.length === 0) return null;
  const shown = isOpen ? jobs : jobs.slice(0, 1);
  return (
    <section className={styles.dock} aria-label="Jobs" data-region="dock">
      <button
        type="button"
        className={styles.head}
        aria-expanded={isOpen}
        title={isOpen ? "Fold to one line" : "Show all jobs"}
        onClick={() => setOpen(!isOpen)}
      >
        <Icon name={isOpen ? "down" : "chevron"} size={12} />
        {count(jobs.length, "job")}
      </button>
      <ul className={styles.list}>
        {shown.map((job) => (
          <JobLine
            key={job.key}
            job={job}
            onDismiss={() => {
              known.current = dismiss(known.current, job.key);
              tick((now) => now + 1);
            }}
          />
        ))}
      </ul>
    </section>
  );
}

function JobLine({ job, onDismiss }: { job: Job; onDismiss: () => void }) {
  const { progress, status, title } = job;
  const share = progress && progress.total > 0 ? progress.done / progress.total : undefined;
  const elapsed = duration((Date.now() - job.since) / 1000);
  const stop = () =>
    unwrap(
      client.POST("/api/notebooks/{name}/cancel", {
        params: { path: { name: job.notebook } },
        body: { cell: job.cell, hard: false },
      }),
    ).catch((error: Error) => say({ text: error.message }));
  return (
    <li className={styles.job} data-status={status}>
      <PlaceLink className={styles.title} place={{ notebook: job.notebook }}>
        {title}
      </PlaceLink>
      {status === "error" ? (
        <span className={styles.words}>{`✕ failed: ${job.message}`}</span>
      ) : status === "waiting" ? (
        <span className={styles.words}>… waits for its turn</span>
      ) : (
        <>
          <progress
            className={styles.bar}
            aria-label={`Progress of ${title}`}
            {...(share !== undefined && { value: share, max: 1 })}
          />
          <span className={styles.words}>
            {job.reason
              ? job.reason
              : progress && progress.total > 0
                ? `${number(progress.done)} of ${number(progress.total)} ${progress.what}`
                : "running"}
            {` · ${elapsed}`}
            {job.last !== null && ` · last time ${duration(job.last)}`}
          </span>
        </>
      )}
      {status === "error" ? (
        <button type="button" className={styles.act} onClick={onDismiss}>
          Dismiss
        </button>
      ) : (
        <button type="button" className={styles.act} onClick={stop} aria-label={`Cancel ${title}`}>
          Cancel
        </button>
      )}
    </li>
  );
}
