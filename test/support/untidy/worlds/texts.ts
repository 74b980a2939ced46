import type { World } from '../world.ts';
import { byValue, isField, text } from './by-value.ts';

const url = (change: (url: string) => string) => text((value) => (/^https?:\/\/[^/\s]+/.test(value) ? change(value) : undefined));
const isHost = (value: string): boolean => /^(?:[\w-]+\.)+[a-z]{2,}$/.test(value);
const moment = (change: (ms: number) => unknown) => (value: unknown) =>
  typeof value === 'string' && /^\d{4}-\d\d-\d\dT\d\d:\d\d/.test(value) ? change(Date.parse(value)) : undefined;

const noUrl = 'none of its values is a URL';
const noHost = 'none of its values is a host name';
const noMoment = 'none of its values is a moment or a length of time';

/** JSON in other letters is other JSON. */
const isJson = (value: string): boolean => /^\s*[[{]/.test(value);

// Words of one piece are choices of the provider more often than texts of ours.
export const capitals = text((value) =>
  /[\s./:-]/.test(value) && /[a-z]/.test(value) && !isJson(value) ? value.toUpperCase() : undefined,
);

/** Another spelling of the same text. */
export const texts: readonly World[] = [
  byValue('case-folded', 'capitals', {
    none: 'none of its texts has lower-case letters and more than one piece',
    show: capitals,
  }),
  byValue('case-folded', 'lower case', {
    none: 'none of its texts has capitals and more than one piece',
    show: text((value) => (/[\s./:-]/.test(value) && /[A-Z]/.test(value) && !isJson(value) ? value.toLowerCase() : undefined)),
  }),
  byValue('case-folded', 'hosts in capitals', {
    none: 'none of its values has a host',
    show: text((value) => {
      if (isHost(value)) return value.toUpperCase();
      return /^https?:\/\//.test(value)
        ? value.replace(/^(https?:\/\/)([^/:?#]+)/, (_, scheme: string, host: string) => scheme + host.toUpperCase())
        : undefined;
    }),
  }),
  byValue('host-respelled', 'final dot', { none: noHost, show: text((value) => (isHost(value) ? `${value}.` : undefined)) }),
  byValue('host-respelled', 'final dot, in capitals', {
    none: noHost,
    show: text((value) => (isHost(value) ? `${value.toUpperCase()}.` : undefined)),
  }),
  byValue('url-normalised', 'port', { none: noUrl, show: url((value) => value.replace(/^(https:\/\/[^/:]+)(?=\/|$)/, '$1:443')) }),
  byValue('url-normalised', 'final slash', {
    none: noUrl,
    show: url((value) => (/[?#]/.test(value) ? value : value.endsWith('/') ? value.slice(0, -1) : `${value}/`)),
  }),
  byValue('url-normalised', 'scheme and host in capitals, with a port', {
    none: noUrl,
    show: url((value) => value.replace(/^https:\/\/([^/:?#]+)(?=[/?#]|$)/, (_, host: string) => `HTTPS://${host.toUpperCase()}:443`)),
  }),
  byValue('synonym-respelled', 'another time zone', {
    none: noMoment,
    show: moment((ms) => new Date(ms + 3_600_000).toISOString().replace('Z', '+01:00')),
  }),
  byValue('synonym-respelled', 'no fractions of seconds', {
    none: noMoment,
    show: moment((ms) => new Date(ms).toISOString().replace(/\.\d+Z$/, 'Z')),
  }),
  byValue('synonym-respelled', 'underscores for hyphens', {
    none: 'none of its fields is a text with hyphens or underscores that is no URL and no host name',
    isOf: isField,
    isStrange: true,
    show: text((value) =>
      /^[\w-]+$/.test(value) && /[-_]/.test(value) ? value.replaceAll(/[-_]/g, (sign) => (sign === '-' ? '_' : '-')) : undefined,
    ),
  }),
  byValue('synonym-respelled', 'numbers with a unit', {
    none: 'none of its fields is a number',
    isOf: isField,
    isStrange: true,
    show: (value) => (typeof value === 'number' ? `${value}s` : undefined),
  }),
];
