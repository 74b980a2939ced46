import { describe, expect, it } from 'vitest';
import { Redactor } from '../core/redact.ts';
import { excerpt } from './excerpt.ts';

const redactor = new Redactor();
redactor.add('hunter2-hunter2');
const of = (body: unknown) => excerpt(body, redactor);

describe('the quote of a provider’s error', () => {
  it('is empty where the body is nested without end', () => {
    let body: unknown = 'no';
    for (let i = 0; i < 20_000; i += 1) body = [body];
    expect(of(body)).toBe('');
  });

  it('is its message, in whatever field it stands', () => {
    expect(of({ message: 'no' })).toBe('no');
    expect(of({ error: 'invalid_grant', error_description: 'expired' })).toBe('expired; invalid_grant');
    expect(of({ error: { type: 'invalid_request_error', message: 'No such endpoint' } })).toBe('No such endpoint');
    expect(of({ errors: [{ detail: 'a' }, { title: 'b' }, 'c'] })).toBe('a; b; c');
    expect(of({ messages: ['a', 'b'], success: false })).toBe('a; b');
    expect(of({ error: { code: 'not_found' } })).toBe('not_found');
    expect(of({ InvalidBatch: { '@xmlns': 'urn:x', Messages: { Message: ['a', 'b'] }, RequestId: '7' } })).toBe('a; b');
    expect(of('plain text')).toBe('plain text');
    expect(of('<!DOCTYPE html><html><head><title>502 Bad Gateway</title></head></html>')).toBe('502 Bad Gateway');
    for (const nothing of [null, {}, [], '', 42, { ok: false }, '<html></html>']) expect(of(nothing)).toBe('');
  });

  it('is one line without control characters or marks that turn text around', () => {
    expect(of({ message: 'a\r\nb\u0007\u001b[2Jc\u202edcba\u200b\u2028x' })).toBe('a b [2Jcdcba x');
  });

  it('is redacted before it is cut, and after characters that could hide a secret are gone', () => {
    const cut = of({ message: `${'x'.repeat(290)}hunter2-hunter2` });
    expect(cut).toBe(`${'x'.repeat(290)}***`);
    expect(of({ message: 'hunter2\u200b-hunter2' })).toBe('***');
    expect(of({ message: 'y'.repeat(1000) })).toHaveLength(300);
  });

  it('is bounded for answers that nest without end', () => {
    let deep: unknown = { message: 'bottom' };
    for (let i = 0; i < 1000; i += 1) deep = { error: deep };
    expect(of(deep)).toBe('');
  });
});
