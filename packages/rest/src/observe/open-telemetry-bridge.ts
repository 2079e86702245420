import { isRowkeyError } from '@rowkey/odata'
import { AbortError } from '../errors/abort-error.ts'
import { ServiceError } from '../errors/service-error.ts'
import type { CallEvent, CallListener } from './call-event.ts'

/** What can be said about a span: the part of OpenTelemetry's attribute values that is used here. */
export type SpanAttributes = Readonly<Record<string, string | number>>

/** The part of OpenTelemetry's Span that {@link openTelemetryBridge} uses. */
export interface SpanLike {
  /** Adds attributes. */
  setAttributes(attributes: SpanAttributes): unknown
  /** Notes that something happened, at a moment in milliseconds since 1970, UTC. */
  addEvent(name: string, attributes: SpanAttributes, at: number): unknown
  /** Says how it went; 2 is OpenTelemetry's word for an error. */
  setStatus(status: { readonly code: 2; readonly message: string }): unknown
  /** Ends the span at a moment in milliseconds since 1970, UTC. */
  end(at: number): unknown
}

/** The part of OpenTelemetry's Tracer that {@link openTelemetryBridge} uses. */
export interface TracerLike {
  /** Begins a span; kind 2 is OpenTelemetry's word for a client's. */
  startSpan(
    name: string,
    options: { readonly kind: 2; readonly startTime: number; readonly attributes: SpanAttributes },
  ): SpanLike
}

const CLIENT = 2
const ERROR = 2

/** Answers that programs ask for: it was not there, it was there already, someone else was first. */
const EXPECTED_STATUSES: ReadonlySet<number> = new Set([404, 409, 412])

/**
 * A listener that makes one OpenTelemetry span of each call, with an event for each retry. Takes
 * anything of the shape of a Tracer, so that nothing of OpenTelemetry need be installed.
 *
 * A 404, 409 or 412 is an answer and not a failure, and neither is an abort: the span then says the
 * code but has no error. Nothing secret is in a span; the URL has no SAS.
 *
 * @param tracer - such as `trace.getTracer('rowkey')` gives
 *
 * @example
 * ```ts
 * import { trace } from '@opentelemetry/api'
 *
 * const onEvent = openTelemetryBridge(trace.getTracer('rowkey'))
 * const service = tableService({ connectionString: process.env.TABLES!, onEvent })
 * ```
 */
export function openTelemetryBridge(tracer: TracerLike): CallListener {
  const spans = new Map<string, SpanLike>()
  return (event) => {
    const { clientRequestId, at } = event
    const span = spans.get(clientRequestId) ?? startSpan(tracer, event)
    if (event.type !== 'completed') {
      spans.set(clientRequestId, span)
      note(span, event)
      return
    }
    spans.delete(clientRequestId)
    span.setAttributes({ 'rowkey.attempts': event.attempt })
    if (event.error !== undefined) fail(span, event.error)
    span.end(at)
  }
}

function startSpan(tracer: TracerLike, event: CallEvent): SpanLike {
  const { operation, method, clientRequestId, at } = event
  const attributes = {
    'db.operation.name': operation,
    'http.request.method': method,
    'az.client_request_id': clientRequestId,
  }
  return tracer.startSpan(operation, { kind: CLIENT, startTime: at, attributes })
}

function note(span: SpanLike, event: Exclude<CallEvent, { readonly type: 'completed' }>): void {
  if (event.type === 'sending') {
    const { url, location } = event
    const address = new URL(url).hostname
    span.setAttributes({ 'url.full': url, 'server.address': address, 'rowkey.location': location })
  } else if (event.type === 'received') {
    const { status = 0, requestId } = event.result
    span.setAttributes({ 'http.response.status_code': status })
    if (requestId !== undefined) span.setAttributes({ 'az.service_request_id': requestId })
  } else {
    const { attempt, delay, error } = event
    const code = errorCodeOf(error)
    span.addEvent(
      'retry',
      { 'error.type': code, 'rowkey.attempt': attempt, 'rowkey.delay': delay },
      event.at,
    )
  }
}

function fail(span: SpanLike, error: unknown): void {
  const code = errorCodeOf(error)
  if (isExpected(error)) {
    span.setAttributes({ 'rowkey.code': code })
    return
  }
  span.setAttributes({ 'error.type': code })
  span.setStatus({ code: ERROR, message: code })
}

function isExpected(error: unknown): boolean {
  if (error instanceof AbortError) return true
  return error instanceof ServiceError && EXPECTED_STATUSES.has(error.status)
}

/**
 * The word for an error that programs can group by: the code of one of Rowkey's, else its name.
 *
 * @param error - anything that was thrown
 */
export function errorCodeOf(error: unknown): string {
  if (isRowkeyError(error)) return error.code
  return error instanceof Error ? error.name : 'unknown'
}
