"""Texts that would run as code if the page ever took data for markup."""

NASTY = [
    "<img src=x onerror=alert(1)>",
    "<script>alert(2)</script>",
    "<svg onload=alert(3)>",
    '"><img src=x onerror=alert(4)>',
    "'-alert(5)-'",
    "javascript:alert(6)",
    "{{constructor.constructor('alert(7)')()}}",
    "${alert(8)}",
    "<iframe srcdoc='<script>alert(9)</script>'>",
    "<math><mtext><style><img src=x onerror=alert(10)></style></mtext></math>",
    "</code></pre><script>alert(11)</script>",
    "<a href='javascript:alert(12)'>x</a>",
    "<details open ontoggle=alert(13)>",
    "<style>*{display:none}</style>",
    "a\u202eb\u200bc\u0007\nd\te",
    "__proto__",
]
