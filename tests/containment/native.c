/* What a native library can try that Java can't. Says of each attempt what came of it, in a file of the working folder. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <linux/io_uring.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/inotify.h>
#include <sys/mount.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/shm.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <sys/xattr.h>
#include <unistd.h>

static FILE *said;

static void attempt(const char *name, long result) {
    fprintf(said, "native %s %s %d\n", name, result >= 0 ? "DONE" : "refused", result >= 0 ? (int) result : errno);
    fflush(said);
}

__attribute__((constructor)) static void attack(void) {
    said = fopen("native.txt", "w");
    if (!said) return;
    attempt("fork", fork());
    attempt("vfork", syscall(SYS_clone, SIGCHLD, 0, 0, 0, 0));
    char clone3[88] = {0};
    attempt("clone3", syscall(SYS_clone3, clone3, sizeof clone3));
    attempt("unshare", unshare(CLONE_NEWUSER));
    attempt("socket", socket(AF_INET, SOCK_STREAM, 0));
    attempt("unix socket", socket(AF_UNIX, SOCK_STREAM, 0));
    attempt("netlink", socket(AF_NETLINK, SOCK_RAW, 0));
    attempt("kill parent", kill(getppid(), 0));
    attempt("kill all", kill(-1, 0));
    attempt("ptrace parent", ptrace(PTRACE_SEIZE, getppid(), 0, 0));
    char byte;
    struct iovec here = {&byte, 1}, there = {(void *) 0x400000, 1};
    attempt("read parent", process_vm_readv(getppid(), &here, 1, &there, 1, 0));
    attempt("pidfd", syscall(SYS_pidfd_open, getppid(), 0));
    attempt("io_uring", syscall(SYS_io_uring_setup, 1, &(struct io_uring_params) {0}));
    attempt("bpf", syscall(SYS_bpf, 0, 0, 0));
    attempt("keyring", syscall(SYS_keyctl, 0, -3, 1));
    attempt("shared memory", shmget(IPC_PRIVATE, 4096, IPC_CREAT | 0600));
    attempt("chmod", chmod("native.txt", 0777));
    attempt("fchmod", fchmod(fileno(said), 0777));
    attempt("chown", chown("native.txt", 1, 1));
    attempt("attribute", setxattr("native.txt", "user.x", "x", 1, 0));
    attempt("watch", inotify_init());
    attempt("device", mknod("device", S_IFCHR | 0600, 0x103));
    attempt("mount", mount("none", "/tmp", "tmpfs", 0, ""));
    attempt("chroot", chroot("."));
    attempt("limit of parent", prlimit(getppid(), RLIMIT_CORE, &(struct rlimit) {0, 0}, 0));
    attempt("limit back", setrlimit(RLIMIT_AS, &(struct rlimit) {RLIM_INFINITY, RLIM_INFINITY}));
    attempt("priority", setpriority(PRIO_USER, 0, 19));
    attempt("passwords", open("/etc/shadow", O_RDONLY));
    attempt("root", open("/", O_RDONLY | O_DIRECTORY));
    attempt("execute", execl("/bin/sh", "sh", "-c", "true", (char *) 0));
#ifdef __x86_64__
    attempt("x32 socket", syscall(0x40000000 | SYS_socket, AF_INET, SOCK_STREAM, 0));
    attempt("x32 fork", syscall(0x40000000 | SYS_fork));
#endif
    fclose(said);
}
