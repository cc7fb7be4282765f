import { useState } from "react";
import { FormDialog } from "../sheet/FormDialog";
import { type Forgotten, forgetRows, type Plan, planForgetting } from "./api";
import { CertificateView } from "./CertificateView";
import { PlanView } from "./PlanView";

type Props = { name: string; onClose: () => void };

const SUBMIT = { condition: "Show what it reaches", plan: "Forget for good", certificate: "Done" };

/** Forgets rows of a dataset: asks which, shows what that reaches, wants the name typed, and gives the certificate. */
export default function ForgetDialog({ name, onClose }: Props) {
  const [where, setWhere] = useState("");
  const [typed, setTyped] = useState("");
  const [plan, setPlan] = useState<Plan>();
  const [deletesFailing, setDeletesFailing] = useState(false);
  const [forgotten, setForgotten] = useState<Forgotten>();
  const [problem, setProblem] = useState("");
  const [isBusy, setBusy] = useState(false);
  const step = forgotten ? "certificate" : plan ? "plan" : "condition";
  const close = () => {
    // The page itself holds rows that it has shown; only loading it anew lets go of all of them.
    if (forgotten) window.location.reload();
    onClose();
  };
  const go = async () => {
    if (step === "certificate") return close();
    setBusy(true);
    setProblem("");
    try {
      if (plan) {
        const asked = { where, plan: plan.plan, confirmation: typed.trim(), delete_unrepeatable: deletesFailing };
        setForgotten(await forgetRows(name, asked));
      } else setPlan(await planForgetting(name, where));
    } catch (error) {
      const { message, hint } = error as Error & { hint?: string };
      setProblem([message, hint].filter(Boolean).join(" "));
      setPlan(undefined);
      setTyped("");
    }
    setBusy(false);
  };
  return (
    <FormDialog
      title={step === "certificate" ? `Forgotten: rows of ${name}` : `Forget rows of ${name}`}
      submit={isBusy ? (plan ? "Forgetting…" : "Looking…") : SUBMIT[step]}
      isBusy={isBusy || (step === "condition" && where.trim() === "") || (step === "plan" && typed.trim() !== name)}
      isFinal
      problem={problem || undefined}
      onClose={close}
      onSubmit={() => void go()}
    >
      {step === "condition" && (
        <>
          <label>
            The rows, as a SQL condition
            <input
              value={where}
              autoComplete="off"
              spellCheck={false}
              placeholder="id = 4711"
              onChange={(event) => setWhere(event.target.value)}
            />
          </label>
          <p>
            They go from every version of {name}, and from what was made from them. First you see what that reaches.
          </p>
        </>
      )}
      {step === "plan" && plan && (
        <>
          <PlanView plan={plan} />
          <label>
            <input
              type="checkbox"
              checked={deletesFailing}
              onChange={(event) => setDeletesFailing(event.target.checked)}
            />
            Delete results that cannot be computed without these rows, instead of stopping
          </label>
          <label>
            Type {name} to confirm
            <input value={typed} autoComplete="off" onChange={(event) => setTyped(event.target.value)} />
          </label>
          <p>This cannot be undone.</p>
        </>
      )}
      {forgotten && <CertificateView forgotten={forgotten} />}
    </FormDialog>
  );
}
