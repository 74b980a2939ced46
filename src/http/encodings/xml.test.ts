import { describe, expect, it } from 'vitest';
import { Redactor } from '../../core/redact.ts';
import { Sealed } from '../../core/sealed.ts';
import { asBody } from '../../remote/stored-json.ts';
import { excerpt } from '../excerpt.ts';
import type { Body } from '../types.ts';
import { BadBody, readBody } from './decode.ts';
import { encodeBody } from './encode.ts';

const write = (body: Body): string => encodeBody(body, 'xml').text.replace('<?xml version="1.0" encoding="UTF-8"?>', '');
const read = (text: string, type = 'application/xml'): Promise<unknown> => readBody(Buffer.from(text), type);

describe('a body written as XML', () => {
  it('is one root element with its members in order, attributes, text and repeated elements', () => {
    const body = {
      CORSConfiguration: {
        '@xmlns': 'http://s3.amazonaws.com/doc/2006-03-01/',
        CORSRule: [
          { ID: 'pr-12', AllowedMethod: ['GET', 'PUT'], MaxAgeSeconds: 3000, Quiet: true },
          { ID: 'b', AllowedHeader: [], Empty: '', None: null },
        ],
        Note: { '@lang': 'en', '#text': 'x' },
      },
    };
    expect(write(body)).toBe(
      '<CORSConfiguration xmlns="http://s3.amazonaws.com/doc/2006-03-01/">' +
        '<CORSRule><ID>pr-12</ID><AllowedMethod>GET</AllowedMethod><AllowedMethod>PUT</AllowedMethod>' +
        '<MaxAgeSeconds>3000</MaxAgeSeconds><Quiet>true</Quiet></CORSRule>' +
        '<CORSRule><ID>b</ID><Empty/><None/></CORSRule><Note lang="en">x</Note></CORSConfiguration>',
    );
    expect(encodeBody(body, 'xml')).toMatchObject({
      type: 'application/xml',
      text: expect.stringMatching(/^<\?xml version="1\.0" encoding="UTF-8"\?><CORS/),
    });
  });

  it('escapes what XML makes special, so that it is read as it was', async () => {
    const text = '<a> & "b" \'c\' ]]> \r\n\t é 😀 &amp; &#65;';
    const body = { Root: { '@at': text, Text: text, Secret: new Sealed('hunter2&hunter2', 'env://X') } };
    expect(await read(encodeBody(body, 'xml').text)).toEqual({ Root: { '@at': text, Text: text, Secret: 'hunter2&hunter2' } });
  });

  it.each<[string, Body, RegExp]>([
    ['no root', {}, /one root element, but this one has none/],
    ['two roots', { a: 1, b: 2 }, /one root element, but this one has 2/],
    ['a list as root', { a: [1, 2] }, /one root element/],
    ['a text', 'x', /one root element/],
    ['a control character', { a: { b: ['x', 'y\u0001'] } }, /at \/a\/b\/1: it holds a character/],
    ['half a character', { a: { '@b': '\ud83d' } }, /at \/a\/@b: it holds a character/],
    ['a name that is none', { a: { 'b c': 1 } }, /at \/a\/b c: "b c" cannot be the name of an element/],
    ['a name that would open another element', { 'a><b': 1 }, /cannot be the name/],
    ['an attribute name that is none', { a: { '@': 1 } }, /cannot be the name of an attribute/],
    ['a list in a list', { a: { b: [[1]] } }, /at \/a\/b\/0: a list stands directly in a list/],
    ['a map as an attribute', { a: { '@b': { c: 1 } } }, /at \/a\/@b: a map or a list/],
  ])('is refused with its place: %s', (_, body, said) => {
    expect(() => encodeBody(body, 'xml')).toThrow(said);
    expect(() => encodeBody(body, 'xml')).toThrow('PARAM_INVALID');
  });
});

describe('an XML answer', () => {
  it('is a map with the root on top, texts as texts, prefixes gone, attributes marked', async () => {
    const text = `<?xml version="1.0"?>
      <s3:List xmlns:s3="urn:x" xmlns="urn:x">
        <s3:Count>007</s3:Count> <s3:On>true</s3:On><Big>12345678901234567890</Big>
        <Item s3:id="1">a</Item><Item>b</Item><Other/><Item/>
        <Raw><![CDATA[<b>&amp;</b>]]> &#x41;&#66; &lt;</Raw><Space>  </Space><!-- no --><?pi no?>
      </s3:List>`;
    expect(await read(text)).toEqual({
      List: {
        '@xmlns': 'urn:x',
        '@xmlns:s3': 'urn:x',
        Count: '007',
        On: 'true',
        Big: '12345678901234567890',
        Item: [{ '@s3:id': '1', '#text': 'a' }, 'b', ''],
        Other: '',
        Raw: '<b>&amp;</b> AB <',
        Space: '  ',
      },
    });
  });

  it('that is written back means what it meant', async () => {
    const text = '<a:R xmlns:a="urn:a" xmlns:xsi="urn:i" xmlns="urn:d"><a:B>1</a:B><C xsi:type="T">2</C><D><a:E/></D></a:R>';
    const once = await read(text);
    expect(once).toEqual({
      R: {
        '@xmlns': 'urn:a',
        '@xmlns:a': 'urn:a',
        '@xmlns:xsi': 'urn:i',
        B: '1',
        C: { '@xmlns': 'urn:d', '@xsi:type': 'T', '#text': '2' },
        D: { '@xmlns': 'urn:d', E: { '@xmlns': 'urn:a' } },
      },
    });
    expect(await read(encodeBody(asBody(once), 'xml').text)).toEqual(once);
  });

  it('is read by its content type alone', async () => {
    for (const type of ['text/xml', 'application/xml; charset=utf-8', 'application/problem+xml', 'Application/XML'])
      expect(await read('<a>1</a>', type)).toEqual({ a: '1' });
    expect(await read('<a>1</a>', 'text/html')).toBe('<a>1</a>');
    expect(await read('', 'application/xml')).toBeNull();
    expect(await readBody(Buffer.from('<a>é</a>', 'latin1'), 'text/xml; charset=ISO-8859-1')).toEqual({ a: 'é' });
  });

  it.each([
    ['an unclosed element', '<a><b></a>'],
    ['two roots', '<a/><b/>'],
    ['no element', 'nothing'],
    ['a DOCTYPE', '<?xml version="1.0"?>\n<!-- x --><!DOCTYPE a [<!ENTITY e "boo">]><a>&e;</a>'],
    ['an unknown entity', '<a>&e;</a>'],
    ['an entity without end', '<a>x & y</a>'],
    ['a character that does not exist', '<a>&#0;</a>'],
    ['nesting without end', `${'<a>'.repeat(600)}${'</a>'.repeat(600)}`],
    ['a name that is part of JavaScript', '<a><__proto__>x</__proto__></a>'],
  ])('is refused when it has %s', async (_, text) => {
    await expect(read(text)).rejects.toThrow(BadBody);
  });

  it('of an error is quoted by its words', async () => {
    const said = async (text: string): Promise<string> => excerpt(await read(text), new Redactor());
    expect(await said('<Error><Code>NoSuchBucket</Code><Message>The bucket does not exist</Message><HostId>h</HostId></Error>')).toBe(
      'The bucket does not exist',
    );
    expect(await said('<ErrorResponse xmlns="u"><Error><Type>Sender</Type><Code>X</Code></Error></ErrorResponse>')).toBe('X');
    expect(await said('<Response><Errors><Error><Code>C</Code><Message>No.</Message></Error></Errors></Response>')).toBe('No.');
  });

  it('that echoes a secret in its own spelling does not show it', async () => {
    const redactor = new Redactor();
    redactor.add(new Sealed('hunter2&"x"', 'env://X'));
    expect(redactor.text('<Error>hunter2&amp;&quot;x&quot;</Error>')).not.toContain('hunter2');
  });
});
