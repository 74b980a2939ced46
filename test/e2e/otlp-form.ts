import { z } from 'zod';

// The JSON form of an `ExportTraceServiceRequest`: opentelemetry-proto's messages under the JSON mapping of Protocol Buffers, with the
// exceptions that the protocol names: ids are hexadecimal and enums are numbers. Every key is checked, and no other key is allowed.

const uint64 = z.string().regex(/^\d{1,20}$/);
const uint32 = z.int().min(0).max(0xffff_ffff);
const hexId = (digits: number) => z.string().regex(new RegExp(`^(?!0+$)[0-9a-f]{${digits}}$`));

/** The mapping writes 64-bit integers as decimal text, and accepts a number that is exact. */
const int64 = z.union([z.string().regex(/^-?\d{1,19}$/), z.int()]);

const anyValue = z.union([
  z.strictObject({ stringValue: z.string() }),
  z.strictObject({ boolValue: z.boolean() }),
  z.strictObject({ intValue: int64 }),
  z.strictObject({ doubleValue: z.number() }),
]);
const attributes = z.array(z.strictObject({ key: z.string().min(1), value: anyValue }));
const status = z.strictObject({ code: z.int().min(0).max(2).optional(), message: z.string().optional() });
const event = z.strictObject({ timeUnixNano: uint64, name: z.string(), attributes, droppedAttributesCount: uint32.optional() });

const span = z
  .strictObject({
    traceId: hexId(32),
    spanId: hexId(16),
    parentSpanId: hexId(16).optional(),
    traceState: z.string().optional(),
    flags: uint32.optional(),
    name: z.string().min(1),
    kind: z.int().min(1).max(5),
    startTimeUnixNano: uint64,
    endTimeUnixNano: uint64,
    attributes,
    droppedAttributesCount: uint32.optional(),
    events: z.array(event).optional(),
    droppedEventsCount: uint32.optional(),
    links: z.array(z.never()).optional(),
    droppedLinksCount: uint32.optional(),
    status: status.optional(),
  })
  .refine(({ startTimeUnixNano, endTimeUnixNano }) => BigInt(startTimeUnixNano) <= BigInt(endTimeUnixNano), 'ends before it starts');

const request = z.strictObject({
  resourceSpans: z.array(
    z.strictObject({
      resource: z.strictObject({ attributes, droppedAttributesCount: uint32.optional() }),
      scopeSpans: z.array(
        z.strictObject({
          scope: z.strictObject({ name: z.string(), version: z.string().optional(), attributes: attributes.optional() }),
          spans: z.array(span),
          schemaUrl: z.string().optional(),
        }),
      ),
      schemaUrl: z.string().optional(),
    }),
  ),
});

const plain = (list: z.infer<typeof attributes>): { readonly [key: string]: unknown } =>
  Object.fromEntries(list.map(({ key, value }) => [key, Object.values(value)[0]]));

/** The spans of a request, with their attributes as a map, and those of its one resource. Throws for anything that is not of the form. */
export function spansIn(json: unknown) {
  const { resourceSpans } = request.parse(json);
  const [one, ...others] = resourceSpans;
  if (one === undefined || others.length > 0) throw new Error(`${resourceSpans.length} resources`);
  const spans = one.scopeSpans.flatMap((scope) => scope.spans.map((of) => ({ ...of, attributes: plain(of.attributes) })));
  return { resource: plain(one.resource.attributes), spans };
}
