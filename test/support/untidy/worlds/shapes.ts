import { hasScope } from '../ours.ts';
import type { World } from '../world.ts';
import { byValue, isField } from './by-value.ts';

const isMapOf = (value: unknown): value is object => typeof value === 'object' && value !== null && !Array.isArray(value);
const list = (change: (value: readonly unknown[]) => unknown) => (value: unknown) => (Array.isArray(value) ? change(value) : undefined);
const areTexts = (value: readonly unknown[]): boolean => value.every((one) => typeof one === 'string');

/** Another type, or another order. */
export const shapes: readonly World[] = [
  byValue('stringified', 'numbers', {
    none: 'none of its values is a number',
    show: (value) => (typeof value === 'number' ? String(value) : undefined),
  }),
  byValue('stringified', 'booleans', {
    none: 'none of its values is a boolean',
    show: (value) => (typeof value === 'boolean' ? String(value) : undefined),
  }),
  byValue('stringified', 'maps', {
    none: 'none of its fields is a map',
    isOf: isField,
    show: (value) => (isMapOf(value) && Object.keys(value).length > 0 ? JSON.stringify(value) : undefined),
  }),
  byValue('stringified', 'texts of digits', {
    none: 'none of its fields is a text of digits',
    isOf: isField,
    show: (value) => (typeof value === 'string' && /^[1-9]\d{0,8}$/.test(value) ? Number(value) : undefined),
  }),
  byValue('scalar-or-list', 'lists as one text', {
    none: 'none of its values is a list of several texts',
    show: list((value) => (value.length > 1 && areTexts(value) ? value.join(',') : undefined)),
  }),
  byValue('scalar-or-list', 'lists of one as their entry', {
    none: 'none of its values is a list of one text that is no name of it',
    show: list((value) => (value.length === 1 && areTexts(value) && !hasScope(value[0]) ? value[0] : undefined)),
  }),
  byValue('scalar-or-list', 'texts as lists of one', {
    none: 'none of its fields is a text',
    isOf: isField,
    show: (value) => (typeof value === 'string' && value !== '' ? [value] : undefined),
  }),
  byValue('set-semantics', 'backwards', {
    none: 'none of its values is a list of several entries',
    show: list((value) => (value.length > 1 ? [...value].reverse() : undefined)),
  }),
  byValue('set-semantics', 'doubles', {
    none: 'none of its values is a list with entries',
    show: list((value) => (value.length > 0 ? [...value, value[0]] : undefined)),
  }),
  byValue('empty-respelled', 'empty values as null', {
    none: 'none of its values is empty',
    show: (value) => (value === '' || (Array.isArray(value) && value.length === 0) ? null : undefined),
  }),
  byValue('empty-respelled', 'no as null', {
    none: 'none of its values is false',
    show: (value) => (value === false ? null : undefined),
  }),
];
