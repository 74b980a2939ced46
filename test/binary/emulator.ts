import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import type { Arch } from '../../scripts/build/binary/node.ts';

interface Emulator {
  /** The words before the program. */
  readonly command: readonly string[];
  /** What this machine lacks to run a program of that processor; `null` if it lacks nothing. */
  readonly missing: string | null;
}

const machines = { x64: 'x86_64', arm64: 'aarch64' } as const satisfies Record<Arch, string>;
const packages = {
  x64: 'qemu-user-static libc6-amd64-cross libstdc++6-amd64-cross',
  arm64: 'qemu-user-static libc6-arm64-cross libstdc++6-arm64-cross',
} as const satisfies Record<Arch, string>;

/** QEMU for programs of that processor, with the C library that Node needs. */
export function emulatorFor(arch: Arch): Emulator {
  const machine = machines[arch];
  const libraries = `/usr/${machine}-linux-gnu`;
  const command = [`qemu-${machine}-static`, '-L', libraries];
  const isThere = existsSync(`${libraries}/lib`) && starts(command[0] ?? '');
  return { command, missing: isThere ? null : `it needs these packages of the system: ${packages[arch]}` };
}

function starts(program: string): boolean {
  try {
    execFileSync(program, ['--version'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}
