# What gdb is told by `fairlead run --gdb` and `fairlead replay --gdb`.

# System calls of the program come to the runtime as SIGSYS, and it wakes
# threads of its own with the last real-time signal.
handle SIGSYS nostop noprint pass
handle SIG64 nostop noprint pass

# rdtsc, rdtscp and cpuid fault, and the runtime answers; so do its own looks at
# memory that may not be there (runtime/sys/look.S). All other faults stop.
handle SIGSEGV nostop noprint pass
catch signal SIGSEGV
condition $bpnum ($_siginfo.si_code != 0x80 && ((long)$_siginfo._sifields._sigfault.si_addr == (long)$rip || *(unsigned short*)$rip != 0x3e3e)) || ($_siginfo.si_code == 0x80 && *(unsigned short*)$rip != 0x310f && *(unsigned short*)$rip != 0xa20f && (*(unsigned int*)$rip & 0xffffff) != 0xf9010f && *(unsigned short*)$rip != 0x3e3e)

# The runtime calls this when an execution fails, in the thread that it fails
# in; the reason is its argument.
set breakpoint pending on
break __fl_failure
commands
  silent
  printf "fairlead: %s\n", (char*)$rdi
end
set breakpoint pending auto
