import { ExportResultCode } from '@opentelemetry/core';
import { OTLPTraceExporter as JsonExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { OTLPTraceExporter as ProtobufExporter } from '@opentelemetry/exporter-trace-otlp-proto';
import type { ReadableSpan } from '@opentelemetry/sdk-trace';
import type { ErrorData } from '../../core/errors.ts';
import type { RunEvent } from '../../engine/document.ts';
import { readableSpans, type TraceOf } from './otlp.ts';
import { type RunEnd, spansOf } from './spans.ts';

/** Collects the events of a run for its export. */
export interface Telemetry {
  listen(event: RunEvent): void;
  /** Sends the run as one trace. Resolves with a sentence about what went wrong, or `null`, within `longestMs`. Never rejects. */
  send(errors: readonly ErrorData[]): Promise<string | null>;
}

/** An export delays the end of a run no longer than this. */
const longestMs = 3_000;

/** Spans of one request: a run of thousands of lines would be larger than collectors take at once. */
const batch = 1_000;

/**
 * The exporter of the SDK reads the endpoint, headers, certificates, compression and the timeout from the variables `OTEL_EXPORTER_OTLP_*`
 * of this process. It takes an endpoint that is no address for its default one on this machine, so such an endpoint is refused here.
 */
export function openTelemetry(env: NodeJS.ProcessEnv, of: TraceOf, { title }: Pick<RunEnd, 'title'>): Telemetry {
  const events: RunEvent[] = [];
  return {
    listen: (event) => {
      events.push(event);
    },
    send: async (errors) => {
      const endpoint = URL.parse(env.OTEL_EXPORTER_OTLP_TRACES_ENDPOINT?.trim() || env.OTEL_EXPORTER_OTLP_ENDPOINT?.trim() || '');
      if (endpoint === null || !/^https?:$/.test(endpoint.protocol))
        return 'The run was not exported: OTEL_EXPORTER_OTLP_ENDPOINT is no http address.';
      const protocol = env.OTEL_EXPORTER_OTLP_TRACES_PROTOCOL?.trim() || env.OTEL_EXPORTER_OTLP_PROTOCOL?.trim() || 'http/protobuf';
      if (protocol !== 'http/protobuf' && protocol !== 'http/json') {
        return 'The run was not exported: OTEL_EXPORTER_OTLP_PROTOCOL must be http/protobuf or http/json.';
      }
      const problem = await inTime(sendAll(readableSpans(spansOf(events, { title, errors }), of), protocol));
      return problem === null ? null : `The run was not exported to ${endpoint.origin}: ${problem}.`;
    },
  };
}

/** Sends one batch after the other. Stops at the first that is not taken, and gives the reason. */
async function sendAll(spans: readonly ReadableSpan[], protocol: 'http/protobuf' | 'http/json'): Promise<string | null> {
  const exporter = protocol === 'http/json' ? new JsonExporter() : new ProtobufExporter();
  for (let from = 0; from < spans.length; from += batch) {
    const { promise, resolve } = Promise.withResolvers<string | null>();
    exporter.export(spans.slice(from, from + batch), ({ code, error }) =>
      resolve(code === ExportResultCode.SUCCESS ? null : reasonOf(error)),
    );
    const problem = await promise;
    if (problem !== null) return problem;
  }
  return null;
}

/** The status or the code of the system alone: the text of an answer is a stranger's. */
function reasonOf(error: Error | undefined): string {
  const code = error !== undefined && 'code' in error ? error.code : undefined;
  if (typeof code === 'number') return `it answered ${code}`;
  return typeof code === 'string' ? code : 'it did not take the spans';
}

async function inTime(sent: Promise<string | null>): Promise<string | null> {
  const { promise: late, resolve } = Promise.withResolvers<string>();
  const timer = setTimeout(resolve, longestMs, `it did not answer within ${longestMs / 1_000} s`);
  try {
    return await Promise.race([sent, late]);
  } catch {
    return 'the exporter failed';
  } finally {
    clearTimeout(timer);
  }
}
