import type { FactReader } from '../facts.ts';
import { awsReaders } from './host-aws.ts';
import { azureReaders } from './host-azure.ts';
import { cloudflareReaders } from './host-cloudflare.ts';
import { digitaloceanReaders } from './host-digitalocean.ts';
import { firebaseReaders } from './host-firebase.ts';
import { googleReaders } from './host-google.ts';
import { herokuReaders } from './host-heroku.ts';
import { netlifyReaders } from './host-netlify.ts';
import { otherHosts } from './host-other.ts';
import { renderReaders } from './host-render.ts';
import { hostSentences } from './host-sentences.ts';
import { tomlHosts } from './host-toml.ts';
import { vercelReaders } from './host-vercel.ts';
import { hostPages, hostWords, streamlitSecrets } from './host-words.ts';

/** Readers of what hosts are told, under any name that their programs take. */
export const hostReaders: readonly FactReader[] = [
  ...vercelReaders,
  ...netlifyReaders,
  ...cloudflareReaders,
  ...tomlHosts,
  ...renderReaders,
  ...herokuReaders,
  ...firebaseReaders,
  ...googleReaders,
  ...awsReaders,
  ...azureReaders,
  ...digitaloceanReaders,
  ...otherHosts,
  hostWords,
  hostSentences,
  hostPages,
  streamlitSecrets,
];
