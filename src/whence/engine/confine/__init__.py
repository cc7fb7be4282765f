"""What a process may no longer do: files and network by Landlock, system calls by seccomp, sizes by limits."""
