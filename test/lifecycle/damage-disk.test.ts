import type * as Fs from 'node:fs';
import { readdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { createWorld } from 'pilotfish-sandbox/all';
import { verifyHandled } from 'pilotfish-sandbox/kit/index';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { LeapingClock } from '../support/leaping-clock.ts';
import { onDisk, openStage, type Stage } from '../support/stage.ts';
import { ends, lines, planOf } from './shop.ts';

/** What the file system below a folder does; a real full disk and a real read-only one need a system administrator. */
const disk = vi.hoisted(() => ({
  below: '',
  /** Bytes that still fit; `null` for a disk that is not full. */
  room: null as number | null,
  isReadOnly: false,
}));

const rules = vi.hoisted(() => {
  const fail = (code: string, syscall: string): never => {
    throw Object.assign(new Error(`${code}: ${syscall}`), { code, syscall });
  };
  const isHere = (file: unknown): boolean => disk.below !== '' && String(file).startsWith(disk.below);
  return {
    change: (file: unknown, syscall: string): void => {
      if (isHere(file) && disk.isReadOnly) fail('EROFS', syscall);
    },
    take: (file: unknown, bytes: number): void => {
      if (!isHere(file) || disk.room === null) return;
      disk.room -= bytes;
      if (disk.room < 0) fail('ENOSPC', 'write');
    },
    /** Of what is written to a file, the part that still fits. */
    fitting: (file: unknown, text: string): string =>
      disk.room === null || !isHere(file) ? text : text.slice(0, Math.max(0, Math.min(text.length, disk.room))),
  };
});

vi.mock('node:fs', async (original) => {
  const fs = await original<typeof Fs>();
  const files = new Map<number, string>();
  return {
    ...fs,
    mkdirSync: (folder: string, ...rest: []) => {
      // A folder that is there already needs no write.
      if (!fs.existsSync(folder)) {
        rules.change(folder, 'mkdir');
        rules.take(folder, 100);
      }
      return fs.mkdirSync(folder, ...rest);
    },
    openSync: (file: string, flags: string, ...rest: []) => {
      if (flags !== 'r') rules.change(file, 'open');
      const opened = fs.openSync(file, flags, ...rest);
      files.set(opened, file);
      return opened;
    },
    writeFileSync: (to: number | string, text: string, ...rest: []) => {
      const file = typeof to === 'number' ? files.get(to) : to;
      fs.writeFileSync(to, rules.fitting(file, text), ...rest);
      rules.take(file, text.length);
    },
    renameSync: (from: string, to: string) => {
      rules.change(to, 'rename');
      fs.renameSync(from, to);
    },
  };
});

let stage: Stage;
let world: ReturnType<typeof createWorld>;
const open = async (...changes: readonly string[]): Promise<Stage> => {
  const clock = new LeapingClock();
  world = createWorld({ clock });
  const env = { ...world.credentials, AUTH0_API_URL: 'https://acme.eu.auth0.com/api/v2' };
  stage = await openStage({ simulations: world.simulations, env, plan: planOf(...changes), clock, store: onDisk });
  disk.below = path.join(stage.folder, '.pilotfish');
  return stage;
};
afterEach(async () => {
  Object.assign(disk, { below: '', room: null, isReadOnly: false });
  verifyHandled(world.simulations);
  await stage.close();
});
const ledgerFiles = async (): Promise<readonly string[]> =>
  readdir(path.join(stage.folder, '.pilotfish', 'ledger'), { recursive: true }).catch(() => []);
const dnsRecords = () => world.cloudflare.world.records('5f0c1d2e3b4a59687786a5b4c3d2e1f0');

describe('a disk that is full', () => {
  it('from the start: nothing is created, and the error says so', async () => {
    const { apply, watch } = await open(lines.dns);
    disk.room = 0;
    const seen = watch();
    const { error } = await apply();
    expect(error).toMatchObject({ code: 'LEDGER_REFUSED', detail: expect.stringContaining('the disk is full (ENOSPC)') });
    expect(error?.fix).toContain(path.join(stage.folder, '.pilotfish', 'ledger'));
    expect(seen.writes()).toEqual([]);
  });

  it('after the create: it is announced, the error lists it, and with room again the next run claims it', async () => {
    const { apply, plan, ledger } = await open(lines.dns, lines.alias);
    const stop = world.cloudflare.watch(({ phase, method }) => {
      if (phase === 'after' && method === 'POST') disk.room = 0;
    });
    const doc = await apply();
    stop();
    expect(ends(doc)).toEqual(['dns create failed LEDGER_REFUSED', 'alias create failed LEDGER_REFUSED']);
    expect(doc.error?.detail).toMatch(
      /ENOSPC.*could not be kept in .*unpushed either \(ENOSPC\)\. The ledger lacks what it did: dns stands: /,
    );
    expect([dnsRecords().length, (await ledger()).intents.size, (await ledger()).records.size]).toEqual([1, 1, 0]);
    disk.room = null;
    expect((await plan()).lines[0]?.verdict).toBe('claim');
    expect(ends(await apply())).toEqual(['dns claim settled', 'alias create settled']);
    expect(dnsRecords()).toHaveLength(2);
  });

  it('whenever it fills up, the ledger stays readable and the next run ends with one object each', async () => {
    const { apply, destroy } = await open(lines.dns, lines.alias);
    const seen = new Set<string>();
    for (const room of [0, 1_000, 2_500, 4_000, 6_000, 8_000, 11_000, 15_000, 20_000, 1_000_000]) {
      disk.room = room;
      seen.add((await apply()).status);
      disk.room = null;
      expect((await apply()).status).toBe('complete');
      expect(dnsRecords()).toHaveLength(2);
      expect((await destroy()).status).toBe('complete');
      expect(dnsRecords()).toEqual([]);
    }
    expect([...seen].sort()).toEqual(['complete', 'failed']);
  });

  it('leaves no halves behind that would keep it full', async () => {
    const { apply } = await open(lines.dns);
    await apply();
    const before = await ledgerFiles();
    disk.room = 700;
    await apply().catch(() => undefined);
    expect(await ledgerFiles()).toEqual(before);
  });
});

describe('a folder that cannot be written', () => {
  it('is told, nothing is created, and what it holds is still planned from', async () => {
    const { apply, plan, watch } = await open(lines.dns);
    await apply();
    disk.isReadOnly = true;
    expect((await plan()).lines[0]?.verdict).toBe('none');
    await stage.write(planOf(lines.dns, lines.alias));
    const seen = watch();
    const { error } = await apply();
    expect(error).toMatchObject({ code: 'LEDGER_REFUSED', detail: expect.stringContaining('the file system is read-only (EROFS)') });
    expect(error?.detail).toContain('unpushed either (EROFS)');
    expect(seen.writes()).toEqual([]);
  });
});

describe('a local ledger that was deleted', () => {
  const forget = (what: string): Promise<void> => rm(path.join(stage.folder, '.pilotfish', what), { recursive: true });

  it('is damage while the mark beside it tells of it, and its mark names what to remove', async () => {
    const { apply, plan, destroy, watch } = await open(lines.dns);
    await apply();
    await forget('ledger');
    const seen = watch();
    const mark = path.join(stage.folder, '.pilotfish', 'last', 'refs,heads,pilotfish-receipts,preview,pr-12');
    for (const look of [plan, apply, destroy]) {
      await expect(look()).rejects.toMatchObject({ code: 'LEDGER_CORRUPT', fix: expect.stringContaining(mark) });
    }
    expect(seen.all()).toEqual([]);
    await rm(mark);
    expect(ends(await apply())).toEqual(['dns refused refused RESOURCE_FOREIGN']);
  });

  it('and another scope is not kept from its first apply', async () => {
    const { apply } = await open(lines.dns);
    await apply();
    await forget('ledger');
    expect((await apply({ scope: 'pr-13' })).status).toBe('complete');
  });
});

describe('a local ledger that is damaged', () => {
  const newest = (): string => path.join(stage.folder, '.pilotfish', 'ledger', 'heads,pilotfish-receipts,preview,pr-12');

  it.each([
    ['a file that is cut off', (text: string) => text.slice(0, 40)],
    ['an empty file', () => ''],
    ['a file of another branch', (text: string) => text.replace('pr-12', 'pr-99')],
  ])('by %s is refused, and restored by the command that the fix names', async (_, damage) => {
    const { apply, destroy } = await open(lines.dns);
    await apply();
    await apply();
    const file = newest();
    await writeFile(file, damage(await readFile(file, 'utf8')));
    const error: unknown = await apply().catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ code: 'LEDGER_CORRUPT' });
    const fix = error instanceof Error && 'fix' in error ? String(error.fix) : '';
    const commit = /--restore-ledger ([0-9a-f]+) --scope pr-12/.exec(fix)?.[1] ?? '';
    expect(ends(await apply({ restoreLedger: commit }))).toEqual(['dns none settled']);
    expect((await destroy()).status).toBe('complete');
    expect(dnsRecords()).toEqual([]);
  });
});
