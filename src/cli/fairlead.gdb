# What gdb is told by `fairlead run --gdb` and `fairlead replay --gdb`.

# System calls of the program come to the runtime as SIGSYS, and it wakes
# threads of its own with the last real-time signal.
handle SIGSYS nostop noprint pass
handle SIG64 nostop noprint pass

# rdtsc, rdtscp and cpuid fault, and the runtime answers; all other faults stop.
handle SIGSEGV nostop noprint pass
catch signal SIGSEGV
condition $bpnum $_siginfo.si_code != 0x80 || (*(unsigned short*)$rip != 0x310f && *(unsigned short*)$rip != 0xa20f && (*(unsigned int*)$rip & 0xffffff) != 0xf9010f)

# The runtime calls this when an execution fails, in the thread that it fails
# in; the reason is its argument.
set breakpoint pending on
break __fl_failure
commands
  silent
  printf "fairlead: %s\n", (char*)$rdi
end
set breakpoint pending auto
