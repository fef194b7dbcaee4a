# SPDX-License-Identifier: GPL-2.0-only OR BSD-3-Clause
"""What the measurement runs on, for as long as it runs: two network namespaces with a veth pair between them, and processors that are
kept from halting."""
import contextlib
import os
import subprocess

SERVER, CLIENT = '10.231.77.1', '10.231.77.2'


def run(*words):
    done = subprocess.run(words, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=20)
    if done.returncode:
        raise RuntimeError(f"{' '.join(words)}: {done.stdout.strip() or done.returncode}")


class Place:
    """`with Place() as place`: place.server and place.client are the words that go before a command."""

    def __init__(self):
        self.names = [f'slick-{end}-{os.getpid()}' for end in ('server', 'client')]
        self.server, self.client = (['ip', 'netns', 'exec', name] for name in self.names)
        self.address = SERVER

    def __enter__(self):
        try:
            self.make()
        except BaseException:
            self.remove()
            raise
        return self

    def __exit__(self, *_):
        self.remove()

    def make(self):
        ends = [f'slick{end}{os.getpid()}' for end in 'sc']
        for name in self.names:
            run('ip', 'netns', 'add', name)
        run('ip', 'link', 'add', ends[0], 'netns', self.names[0], 'type', 'veth',
            'peer', 'name', ends[1], 'netns', self.names[1])
        for cpu, (name, end, address) in enumerate(zip(self.names, ends, (SERVER, CLIENT))):
            run('ip', '-n', name, 'address', 'add', f'{address}/24', 'dev', end)
            run('ip', '-n', name, 'link', 'set', end, 'up')
            run('ip', '-n', name, 'link', 'set', 'lo', 'up')
            # What arrives is worked on by the processor of the side that it arrives at.
            run('ip', 'netns', 'exec', name, 'sh', '-c',
                f'echo {1 << cpu} > /sys/class/net/{end}/queues/rx-0/rps_cpus')

    def remove(self):
        for name in self.names:
            subprocess.run(['ip', 'netns', 'delete', name], stderr=subprocess.DEVNULL, timeout=20)


@contextlib.contextmanager
def polling_processors(wanted=True):
    """Keeps idle processors polling as long as it lasts; the value tells whether the kernel let us.

    A virtual processor that halts goes to the host, and so does the interrupt that wakes it. What that costs is the host's
    affair, it changes from minute to minute, and it is paid with each message: not what is to be measured.
    """
    try:
        file = os.open('/dev/cpu_dma_latency', os.O_WRONLY) if wanted else None
    except OSError:
        file = None
    if file is None:
        yield False
        return
    try:
        os.write(file, (0).to_bytes(4, 'little'))
        yield True
    finally:
        os.close(file)
