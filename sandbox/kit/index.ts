export { bearerOf } from './bearer.ts';
export { BadForm, type Nested, nestFields, Unreadable } from './body.ts';
export type { Checks, Kind } from './checks.ts';
export { Counter, Ids } from './ids.ts';
export { type Mounted, mount, verifyHandled } from './mount.ts';
export { listenToExchanges } from './recorder.ts';
export { ConnectionLost, empty, json, Refusal, refuse, text, xml } from './reply.ts';
export { type RouteOptions, route } from './router.ts';
export { type Served, serve } from './serve.ts';
export { type Flaw, flawsOf, type Shape } from './shape.ts';
export { type Definition, type Kit, makeKit, simulate } from './simulation.ts';
export { nextStep } from './steps.ts';
export type {
  Armed,
  Call,
  Exchange,
  FaultKit,
  Fields,
  LogEntry,
  Match,
  Outcome,
  Reply,
  Seen,
  Simulation,
  SimulationOptions,
  Tokens,
  Watcher,
} from './types.ts';
