import { execFileSync } from 'node:child_process';
import { chmod, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { MemoryRemote } from '../../../test/support/memory-store.ts';
import { tempFolder } from '../../../test/support/temp-folder.ts';
import { systemClock } from '../../core/clock.ts';
import { Failure } from '../../core/errors.ts';
import { Redactor } from '../../core/redact.ts';
import { openStore } from '../../ledger/stores/open-store.ts';
import { BranchRefused, HeadMoved, type Store } from '../../ledger/stores/store.ts';
import { repositoryFacts } from '../../platform/checkout.ts';
import { probeLedger } from './ledger-probe.ts';
import type { SetupWorld } from './world.ts';

const worldWith = (openLedger: SetupWorld['openLedger'], more: Partial<SetupWorld> = {}): SetupWorld => ({
  ask: null,
  sendTo: [],
  isYes: true,
  say: () => undefined,
  redactor: new Redactor(),
  signal: new AbortController().signal,
  clock: systemClock,
  run: () => Promise.reject(new Error('nothing is run')),
  release: null,
  openLedger,
  ...more,
});

describe('the probe of a ledger', () => {
  it('pushes one branch and removes it', async () => {
    const remote = new MemoryRemote();
    const probed = await probeLedger(
      null,
      worldWith(async () => remote.open()),
    );
    expect(probed).toEqual({ location: 'memory', status: 'works', problem: null });
    expect(remote.commits.map(({ branch }) => branch)).toEqual(['pilotfish-receipts/_probe']);
    expect([...remote.branches.keys()]).toEqual([]);
  });

  it('goes on from the branch that a killed setup left', async () => {
    const remote = new MemoryRemote();
    await remote.open().append('pilotfish-receipts/_probe', new Map([['probe.json', '{}']]), null, 'left');
    expect(
      await probeLedger(
        'git-branch',
        worldWith(async () => remote.open()),
      ),
    ).toMatchObject({ status: 'works' });
    expect([...remote.branches.keys()]).toEqual([]);
  });

  it.each([
    ['another one came between', new HeadMoved('pilotfish-receipts/_probe'), 'works', null],
    ['a rule stops the branch', new BranchRefused({ detail: 'A rule.', fix: 'Exempt it.' }), 'refused', 'A rule. Exempt it.'],
    ["this machine's credential may not", new Failure('LEDGER_REFUSED', { detail: 'No.', fix: 'Log in.' }), 'not tried', 'No. Log in.'],
  ])('%s', async (_, thrown, status, problem) => {
    const remote = new MemoryRemote();
    remote.before = () => {
      throw thrown;
    };
    const opened: Store[] = [];
    const open = async (): Promise<Store> => {
      opened.push(remote.open());
      return opened.at(-1) ?? remote.open();
    };
    expect(await probeLedger(null, worldWith(open))).toEqual({ location: 'memory', status, problem });
  });

  it('does not take an unreadable remote for a rule, and gives the reason', async () => {
    const remote = new MemoryRemote();
    const store = { ...remote.open(), head: () => Promise.reject(new BranchRefused({ detail: 'No ssh.', fix: 'Install it.' })) };
    expect(
      await probeLedger(
        null,
        worldWith(async () => store),
      ),
    ).toEqual({
      location: 'memory',
      status: 'not tried',
      problem: 'No ssh. Install it.',
    });
  });

  it('pushes nothing if the plan keeps its ledger elsewhere, if there is no remote, and if nobody agreed', async () => {
    const never = (): Promise<Store> => Promise.reject(new Error('no ledger is opened'));
    expect(await probeLedger('local', worldWith(never))).toEqual({ location: null, status: 'not tried', problem: null });
    expect(await probeLedger(null, worldWith(null))).toMatchObject({ status: 'not tried', problem: expect.stringContaining('no remote') });
    expect(await probeLedger(null, worldWith(never, { isYes: false }))).toMatchObject({ problem: expect.stringContaining('--yes') });
  });

  it('reports the rule of a real remote, and leaves nothing at a remote without a rule', async () => {
    const [bare, folder] = [await tempFolder('probe-remote'), await tempFolder('probe-clone')];
    const git = (cwd: string, ...args: readonly string[]): string => execFileSync('git', [...args], { cwd, encoding: 'utf8' });
    git(bare, 'init', '--quiet', '--bare');
    git(folder, 'init', '--quiet');
    git(folder, 'remote', 'add', 'origin', bare);
    const probe = async () => {
      const facts = await repositoryFacts(folder, process.env);
      return await probeLedger(
        null,
        worldWith(() => openStore({ receipts: 'git-branch', facts, cwd: folder, env: process.env })),
      );
    };
    expect(await probe()).toMatchObject({ status: 'works' });
    expect(git(bare, 'for-each-ref')).toBe('');
    const hook = join(bare, 'hooks/update');
    await writeFile(hook, '#!/bin/sh\necho "GH013: Repository rule violations found for $1" >&2\nexit 1\n');
    await chmod(hook, 0o755);
    expect(await probe()).toMatchObject({ status: 'refused', problem: expect.stringContaining('Exempt `pilotfish-receipts/**`') });
    expect(git(bare, 'for-each-ref')).toBe('');
  });
});
