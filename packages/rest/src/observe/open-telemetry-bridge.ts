import { invalidOption, isRowkeyError } from '@rowkey/odata'
import { AbortError } from '../errors/abort-error.ts'
import { ServiceError } from '../errors/service-error.ts'
import type { CallEvent, CallListener } from './call-event.ts'

/** The attributes of a span; the part of OpenTelemetry's attribute values that Rowkey uses. */
export type SpanAttributes = Readonly<Record<string, string | number>>

/** The part of OpenTelemetry's Span that {@link openTelemetryBridge} uses. */
export interface SpanLike {
  /** Adds attributes. */
  setAttributes(attributes: SpanAttributes): unknown
  /** Adds an event, with its time in milliseconds since 1970, UTC. */
  addEvent(name: string, attributes: SpanAttributes, at: number): unknown
  /** Sets the status; 2 is OpenTelemetry's code for an error. */
  setStatus(status: { readonly code: 2; readonly message: string }): unknown
  /** Ends the span, with its time in milliseconds since 1970, UTC. */
  end(at: number): unknown
}

/** The part of OpenTelemetry's Tracer that {@link openTelemetryBridge} uses. */
export interface TracerLike {
  /** Starts a span; 2 is OpenTelemetry's code for a client. */
  startSpan(
    name: string,
    options: { readonly kind: 2; readonly startTime: number; readonly attributes: SpanAttributes },
  ): SpanLike
}

const CLIENT = 2
const ERROR = 2

/** Outcomes that programs expect: missing, already there, changed since it was read. */
const EXPECTED_STATUSES: ReadonlySet<number> = new Set([404, 409, 412])

/**
 * Makes a listener that creates one OpenTelemetry span per call, with an event for each retry. It
 * accepts any object with the interface of a Tracer, so OpenTelemetry need not be installed.
 *
 * A 404, 409 or 412 is an outcome, not a failure, and so is an abort: the span then has the code but no
 * error. A span contains no secret; its URL has no SAS.
 *
 * @param tracer - the tracer, such as `trace.getTracer('rowkey')`
 * @throws `InputError` (`InvalidOptionValue`) for anything without `startSpan`
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
  if (typeof tracer?.startSpan !== 'function') {
    throw invalidOption(
      "openTelemetryBridge needs a Tracer, such as trace.getTracer('rowkey') of @opentelemetry/api.",
    )
  }
  const spans = new Map<string, SpanLike>()
  return (event) => {
    const { clientRequestId, at } = event
    const span = spans.get(clientRequestId) ?? startSpan(tracer, event)
    if (event.type !== 'completed') {
      spans.set(clientRequestId, span)
      addFacts(span, event)
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

function addFacts(span: SpanLike, event: Exclude<CallEvent, { readonly type: 'completed' }>): void {
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

/**
 * Tells whether an error is an outcome that programs expect: a 404, 409 or 412, or an abort.
 *
 * @param error - any value that was thrown
 */
export function isExpected(error: unknown): boolean {
  if (error instanceof AbortError) return true
  return error instanceof ServiceError && EXPECTED_STATUSES.has(error.status)
}

/**
 * Returns a word to group errors by: the code of Rowkey's errors, otherwise the name.
 *
 * @param error - any value that was thrown
 */
export function errorCodeOf(error: unknown): string {
  if (isRowkeyError(error)) return error.code
  return error instanceof Error ? error.name : 'unknown'
}
