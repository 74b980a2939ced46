import { connect } from 'node:net';
import { expect, it, onTestFinished, vi } from 'vitest';
import { findProgram, freePort, startServer } from './program.ts';

it('prints why a suite is skipped whose program is not there', () => {
  const log = vi.spyOn(console, 'log').mockImplementation(() => undefined);
  onTestFinished(() => log.mockRestore());
  expect(findProgram('no-such-server-here', { args: ['-v'], form: /.*/ })).toBeNull();
  expect(log.mock.calls.join()).toContain('Skipped: no-such-server-here is not installed.');
});

it('tells the version that a program gives of itself', () => {
  const log = vi.spyOn(console, 'log').mockImplementation(() => undefined);
  onTestFinished(() => log.mockRestore());
  expect(findProgram('git', { args: ['--version'], form: /[\d.]+/ })?.version).toMatch(/^\d+\.\d+/);
});

it('starts a server and ends it, with all that it wrote', async () => {
  const port = await freePort();
  const script = `console.log('ready'); require('net').createServer(() => undefined).listen(${port}, '127.0.0.1')`;
  const server = await startServer({ file: process.execPath, args: ['-e', script], port });
  await server.stop();
  expect(server.output()).toContain('ready');
  const after = connect(port, '127.0.0.1');
  await expect(new Promise((_, reject) => after.once('error', reject))).rejects.toThrow('ECONNREFUSED');
});

it('gives the words of a server that does not come up', async () => {
  const port = await freePort();
  const starting = startServer({ file: process.execPath, args: ['-e', 'console.error("no such setting"); process.exit(1)'], port });
  await expect(starting).rejects.toThrow(/does not listen on \d+: no such setting/);
});
