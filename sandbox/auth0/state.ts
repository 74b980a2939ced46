import type { Tokens } from '../kit/index.ts';

export type Tier = keyof Tokens;

/** One application. What was never set is absent, the four address lists included. */
export interface Client {
  readonly client_id: string;
  [property: string]: unknown;
}

export interface Auth0State {
  readonly clients: Record<string, Client>;
  /** Client ids of the machine-to-machine applications; their secrets are the simulation's `tokens`. */
  readonly machineClients: Readonly<Record<Tier, string>>;
  readonly scopes: Record<Tier, readonly string[]>;
  /** Access tokens that were handed out. */
  readonly issued: Record<string, { readonly tier: Tier; readonly expiresAt: number; isRevoked: boolean }>;
  /** Audiences that a token may be asked for. */
  readonly audiences: string[];
  tokenSeconds: number;
  /** Requests of a second; `null` for no limit. */
  rateLimit: number | null;
  readonly window: { since: number; used: number };
}

export const newState = (audience: string): Auth0State => ({
  clients: {},
  machineClients: {
    full: 'm2mFullAbCdEfGhIjKlMnOpQrStUvWxYz',
    readOnly: 'm2mReadAbCdEfGhIjKlMnOpQrStUvWxYz',
    blind: 'm2mNoneAbCdEfGhIjKlMnOpQrStUvWxYz',
  },
  scopes: { full: ['read:clients', 'update:clients'], readOnly: ['read:clients'], blind: [] },
  issued: {},
  audiences: [audience],
  tokenSeconds: 86_400,
  rateLimit: null,
  window: { since: 0, used: 0 },
});
