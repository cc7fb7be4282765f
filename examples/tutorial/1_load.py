from pathlib import Path

import whence

with whence.open("campaign.whence") as ws:
    spent = ws.load(Path(__file__).with_name("campaign.csv"), name="spent", key="tran_id")
    print(spent)
    for problem in spent.load_report.problems:
        print(f"{problem.kind}: {problem.message}")
    columns = ["recipient_nm", "disb_amt", "disb_dt", "disb_desc", "memo_cd"]
    print(spent.head()[columns].to_string(index=False))
    for hint in ws.suggest_lenses("spent"):
        print(f"{hint.lens}: {hint.why}")
