// SPDX-License-Identifier: GPL-2.0-only OR BSD-3-Clause
/*
 * sockmap plain|verdict CGROUP PORT COMMAND [ARGUMENT...]: while the command runs, a BPF program
 * puts each connection that comes to the port into a sockmap as soon as it is there, before anybody
 * has accepted it; with `verdict` the map reads them too. So do those who redirect a machine's
 * connections; and the sockets of a service in the kernel are in a cgroup like all others.
 */
#include <errno.h>
#include <fcntl.h>
#include <linux/bpf.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#define NUMBER(array) (sizeof(array) / sizeof((array)[0]))
#define INSN(opcode, to, from, offset, value) \
	((struct bpf_insn){ .code = (opcode), .dst_reg = (to), .src_reg = (from), \
			    .off = (offset), .imm = (value) })
#define LOAD(to, from, offset) INSN(BPF_LDX | BPF_MEM | BPF_W, to, from, offset, 0)
#define STORE(to, offset, from) INSN(BPF_STX | BPF_MEM | BPF_W, to, from, offset, 0)
#define COPY(to, from) INSN(BPF_ALU64 | BPF_MOV | BPF_X, to, from, 0, 0)
#define SET(to, value) INSN(BPF_ALU64 | BPF_MOV | BPF_K, to, 0, 0, value)
#define ADD(to, value) INSN(BPF_ALU64 | BPF_ADD | BPF_K, to, 0, 0, value)
#define UNLESS(from, value, far) INSN(BPF_JMP | BPF_JNE | BPF_K, from, 0, far, value)
#define CALL(function) INSN(BPF_JMP | BPF_CALL, 0, 0, 0, function)
#define EXIT INSN(BPF_JMP | BPF_EXIT, 0, 0, 0, 0)

static int fail(const char *what)
{
	fprintf(stderr, "sockmap: %s: %s\n", what, strerror(errno));
	exit(2);
}

static int bpf(int command, union bpf_attr *attr, const char *what)
{
	int result = syscall(SYS_bpf, command, attr, sizeof(*attr));

	return result < 0 ? fail(what) : result;
}

static int make_map(void)
{
	union bpf_attr attr = {
		.map_type = BPF_MAP_TYPE_SOCKHASH,
		.key_size = 4,
		.value_size = 4,
		.max_entries = 1024,
	};

	return bpf(BPF_MAP_CREATE, &attr, "making the map");
}

static int load(int type, int attach, const struct bpf_insn *insns, unsigned int number)
{
	union bpf_attr attr = {
		.prog_type = type,
		.expected_attach_type = attach,
		.insns = (uintptr_t)insns,
		.insn_cnt = number,
		.license = (uintptr_t)"Dual BSD/GPL",
	};

	return bpf(BPF_PROG_LOAD, &attr, "loading a program");
}

/* What comes to a connection of the map stays on it. */
static void add_verdict(int map)
{
	const struct bpf_insn pass[] = { SET(0, SK_PASS), EXIT };
	union bpf_attr attr = {
		.target_fd = map,
		.attach_bpf_fd = load(BPF_PROG_TYPE_SK_SKB, BPF_SK_SKB_VERDICT, pass, NUMBER(pass)),
		.attach_type = BPF_SK_SKB_VERDICT,
	};

	bpf(BPF_PROG_ATTACH, &attr, "attaching to the map");
}

/* The key is the peer's port. The descriptor that is left open is what keeps it attached. */
static void watch(int map, const char *path, int port)
{
	const struct bpf_insn insns[] = {
		COPY(6, 1),
		LOAD(0, 6, offsetof(struct bpf_sock_ops, op)),
		UNLESS(0, BPF_SOCK_OPS_PASSIVE_ESTABLISHED_CB, 11),
		LOAD(0, 6, offsetof(struct bpf_sock_ops, local_port)),
		UNLESS(0, port, 9),
		LOAD(0, 6, offsetof(struct bpf_sock_ops, remote_port)),
		STORE(10, -4, 0),
		COPY(1, 6),
		INSN(BPF_LD | BPF_DW | BPF_IMM, 2, BPF_PSEUDO_MAP_FD, 0, map),
		INSN(0, 0, 0, 0, 0),
		COPY(3, 10),
		ADD(3, -4),
		SET(4, BPF_ANY),
		CALL(BPF_FUNC_sock_hash_update),
		SET(0, 1),
		EXIT,
	};
	int program = load(BPF_PROG_TYPE_SOCK_OPS, BPF_CGROUP_SOCK_OPS, insns, NUMBER(insns));
	union bpf_attr attr = { };

	attr.link_create.prog_fd = program;
	attr.link_create.target_fd = open(path, O_RDONLY | O_DIRECTORY);
	attr.link_create.attach_type = BPF_CGROUP_SOCK_OPS;
	bpf(BPF_LINK_CREATE, &attr, "attaching to the cgroup");
}

static int run(char **command)
{
	pid_t child = fork();
	int status;

	if (!child) {
		execvp(command[0], command);
		fail(command[0]);
	}
	if (child < 0 || waitpid(child, &status, 0) < 0)
		return fail(command[0]);
	return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

int main(int count, char **values)
{
	int map;

	if (count < 5 || (strcmp(values[1], "plain") && strcmp(values[1], "verdict"))) {
		fprintf(stderr, "usage: sockmap plain|verdict CGROUP PORT COMMAND [ARGUMENT...]\n");
		return 2;
	}
	map = make_map();
	if (!strcmp(values[1], "verdict"))
		add_verdict(map);
	watch(map, values[2], atoi(values[3]));
	return run(values + 4);
}
