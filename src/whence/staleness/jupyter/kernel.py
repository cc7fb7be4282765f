"""The kernel "Python 3 (whence)": ipykernel with the extension loaded from the start."""

from __future__ import annotations

from ipykernel.ipkernel import IPythonKernel
from ipykernel.kernelapp import IPKernelApp

from whence.staleness.jupyter.extension import load


class SafetyKernel(IPythonKernel):
    """A Python kernel with the extension loaded. It sends highlights over a comm."""

    implementation = "whence"

    def __init__(self, **options: object) -> None:
        super().__init__(**options)  # type: ignore[no-untyped-call]  # ipykernel's own
        if self.shell is not None:
            load(self.shell)


if __name__ == "__main__":
    IPKernelApp.launch_instance(kernel_class=SafetyKernel)
