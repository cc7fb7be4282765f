"""The sandbox for cells and Spark: Landlock limits files and network, seccomp system calls, rlimits sizes."""
