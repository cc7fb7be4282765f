"""The page of a certificate: plain HTML that needs nothing else and prints well."""

from __future__ import annotations

from collections.abc import Iterable
from html import escape

from whence.model.certificate import Certificate

_STYLE = """
body { font: 16px/1.5 system-ui, sans-serif; max-width: 46rem; margin: 3rem auto; padding: 0 1rem; }
table { border-collapse: collapse; } td, th { padding: 0.2rem 1rem 0.2rem 0; text-align: left; vertical-align: top; }
code { font-size: 0.8em; overflow-wrap: anywhere; }
@media (prefers-color-scheme: dark) { body { background: #16181d; color: #e6e6e6; } }
"""


def certificate_page(certificate: Certificate) -> str:
    """Return the certificate as one HTML page."""
    versions = "".join(
        f"<tr><td>{escape(each.version)}</td><td>{each.rows_before}</td><td>{each.rows_after}</td></tr>"
        for each in certificate.rows
    )
    hashes = (f"{each.version}: {hashed}" for each in certificate.rows for hashed in each.hashes)
    return (
        f'<!doctype html><html lang="en"><meta charset="utf-8"><title>Certificate of forgetting</title>'
        f"<style>{_STYLE}</style><h1>Certificate of forgetting</h1>"
        f"<p>Rows of <b>{escape(certificate.dataset)}</b> were forgotten on {escape(certificate.at)}. "
        f"Certificate {escape(certificate.id)}.</p>"
        f"<h2>Versions</h2><table><tr><th>Version</th><th>Rows before</th><th>Rows after</th></tr>{versions}</table>"
        + _section("Computed again without the rows", certificate.made_again)
        + _section("Deleted", (f"{label}: {why}" for label, why in certificate.deleted.items()))
        + _section("Also removed", certificate.removed)
        + _section("Verified", certificate.verified)
        + _section("Out of reach", certificate.out_of_reach)
        + "<h2>Hashes</h2><p>HMAC-SHA-256 under a key that only the person who forgot the rows was given.</p>"
        + f"<p>Condition: <code>{escape(certificate.condition)}</code></p>"
        + "".join(f"<p><code>{escape(each)}</code></p>" for each in hashes)
        + "</html>\n"
    )


def _section(title: str, sentences: Iterable[str]) -> str:
    items = "".join(f"<li>{escape(sentence)}</li>" for sentence in sentences)
    return f"<h2>{title}</h2><ul>{items}</ul>" if items else ""
