/**
 * A secret as a provider may quote it: as it is, JSON-escaped once and twice, percent-encoded, as a form's value, as base64, also
 * behind something else. Written without the redactor's own list, so that what one forgets the other does not.
 */
export function quotations(secret: string): readonly string[] {
  const inJson = JSON.stringify(secret).slice(1, -1);
  const percent = encodeURIComponent(secret);
  const base64 = ['', 'a', 'ab'].map((before) => Buffer.from(`${before}${secret}`, 'utf8').toString('base64'));
  return [
    ...new Set([
      secret,
      inJson,
      inJson.replaceAll('/', '\\/'),
      // In a page, where no element may begin.
      inJson.replaceAll('<', '\\u003c'),
      inJson.replaceAll('<', '\\u003c').replaceAll('>', '\\u003e').replaceAll('&', '\\u0026'),
      JSON.stringify(inJson).slice(1, -1),
      percent,
      percent.replace(/%[0-9A-F]{2}/g, (hex) => hex.toLowerCase()),
      percent.replaceAll('%20', '+'),
      ...base64,
      ...base64.map((text) => text.replaceAll('+', '-').replaceAll('/', '_')),
    ]),
  ];
}

/** Texts of which none may be found where the secret must not be: its quotations, and parts of them that tell most of it. */
export function spoors(secret: string): readonly string[] {
  const parts = quotations(secret).flatMap((quotation) => {
    // What was cut before it was masked still shows half of it. Base64 mixes its outermost characters with what stands beside.
    const half = quotation.slice(Math.floor(quotation.length / 4), Math.ceil((quotation.length * 3) / 4));
    return half.length >= 12 ? [quotation, half] : [quotation];
  });
  return [...new Set(parts)];
}
