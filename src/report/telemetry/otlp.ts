import { createHash } from 'node:crypto';
import { type HrTime, type SpanContext, SpanKind, SpanStatusCode, TraceFlags } from '@opentelemetry/api';
import { JsonTraceSerializer } from '@opentelemetry/otlp-transformer';
import {
  detectResources,
  type Resource,
  resourceAttributesEnvDetector,
  resourceFromAttributes,
  serviceNameEnvDetector,
} from '@opentelemetry/resources';
import type { ReadableSpan } from '@opentelemetry/sdk-trace';
import { mapValues } from '../../core/json.ts';
import { version } from '../../core/version.ts';
import type { TraceParent } from './parent.ts';
import type { RunSpan } from './spans.ts';

/** The trace that the spans belong to, and its parent outside of this process. */
export interface TraceOf extends TraceParent {
  /** Masks every secret in plain data. */
  readonly redact: <T>(value: T) => T;
}

/** One `ExportTraceServiceRequest` in the JSON form of the protocol. */
export function otlpJson(spans: readonly RunSpan[], of: TraceOf): string {
  const bytes = JsonTraceSerializer.serializeRequest(readableSpans(spans, of));
  return `${new TextDecoder().decode(bytes ?? new Uint8Array())}\n`;
}

/**
 * The spans as an exporter of the SDK takes them. The id of a span is a hash of its trace and its key, so that the file of a trace and its
 * export name the same spans.
 */
export function readableSpans(spans: readonly RunSpan[], { traceId, parentId, redact }: TraceOf): ReadableSpan[] {
  const resource = resourceOf(redact);
  // The names are ours, and a secret may be a word like one of them.
  const valuesOf = (attributes: RunSpan['attributes']): RunSpan['attributes'] => mapValues(attributes, (value) => redact(value));
  const contextOf = (spanId: string): SpanContext => ({ traceId, spanId, traceFlags: TraceFlags.SAMPLED });
  const idOf = (key: string): string => createHash('sha256').update(`${traceId} ${key}`).digest('hex').slice(0, 16);
  return spans.map((span): ReadableSpan => {
    const { key, parent, kind, start, end, failed } = span;
    const above = parent === null ? parentId : idOf(parent);
    const context = contextOf(idOf(key));
    return {
      name: redact(span.name),
      kind: kind === 'client' ? SpanKind.CLIENT : SpanKind.INTERNAL,
      spanContext: () => context,
      ...(above !== null && { parentSpanContext: contextOf(above) }),
      startTime: timeOf(start),
      endTime: timeOf(end),
      duration: timeOf(end - start),
      ended: true,
      status: failed === null ? { code: SpanStatusCode.UNSET } : { code: SpanStatusCode.ERROR, message: redact(failed) },
      attributes: valuesOf(span.attributes),
      links: [],
      events: span.events.map((event) => ({ name: event.name, time: timeOf(event.at), attributes: valuesOf(event.attributes) })),
      resource,
      instrumentationScope: { name: 'pilotfish', version },
      droppedAttributesCount: 0,
      droppedEventsCount: 0,
      droppedLinksCount: 0,
    };
  });
}

/** `OTEL_RESOURCE_ATTRIBUTES` and `OTEL_SERVICE_NAME` of this process go before our own name. */
function resourceOf(redact: TraceOf['redact']): Resource {
  const named = detectResources({ detectors: [resourceAttributesEnvDetector, serviceNameEnvDetector] });
  return resourceFromAttributes({ 'service.name': 'pilotfish', 'service.version': version, ...redact(named.attributes) });
}

/** Milliseconds as whole seconds and nanoseconds. */
function timeOf(ms: number): HrTime {
  const seconds = Math.floor(ms / 1_000);
  const nanos = Math.round((ms - seconds * 1_000) * 1e6);
  return nanos >= 1e9 ? [seconds + 1, nanos - 1e9] : [seconds, nanos];
}
