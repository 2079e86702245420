import { invalidOption } from '@rowkey/odata'
import type { CallListener } from './call-event.ts'
import { errorCodeOf, isExpected, type SpanAttributes } from './open-telemetry-bridge.ts'

/** The part of OpenTelemetry's Histogram that {@link openTelemetryMetrics} uses. */
export interface HistogramLike {
  /** Records one value. */
  record(value: number, attributes: SpanAttributes): void
}

/** The part of OpenTelemetry's Counter that {@link openTelemetryMetrics} uses. */
export interface CounterLike {
  /** Adds to the count. */
  add(value: number, attributes: SpanAttributes): void
}

/** The description and the unit of a metric. */
export interface MetricText {
  /** The description of the metric. */
  readonly description: string
  /** Its unit, in the notation of UCUM. */
  readonly unit: string
}

/** The part of OpenTelemetry's Meter that {@link openTelemetryMetrics} uses. */
export interface MeterLike {
  /** Makes a histogram of numbers. */
  createHistogram(name: string, text: MetricText): HistogramLike
  /** Makes a counter. */
  createCounter(name: string, text: MetricText): CounterLike
}

/**
 * Makes a listener that records two OpenTelemetry metrics: `db.client.operation.duration`, a histogram of the
 * seconds of whole calls, and `rowkey.retries`, a counter. It accepts any object with the interface of a
 * Meter, so OpenTelemetry need not be installed.
 *
 * The attributes are the operation, the host and the code of an error. A 404, 409 or 412 and an abort have
 * `rowkey.code` in place of `error.type`, as in {@link openTelemetryBridge}. No attribute contains a key.
 *
 * @param meter - the meter, such as `metrics.getMeter('rowkey')`
 * @throws `InputError` (`InvalidOptionValue`) for anything that makes no instruments
 *
 * @example
 * ```ts
 * import { metrics } from '@opentelemetry/api'
 *
 * const onEvent = openTelemetryMetrics(metrics.getMeter('rowkey'))
 * const service = tableService({ connectionString: process.env.TABLES!, onEvent })
 * ```
 */
export function openTelemetryMetrics(meter: MeterLike): CallListener {
  if (typeof meter?.createHistogram !== 'function' || typeof meter.createCounter !== 'function') {
    throw invalidOption(
      "openTelemetryMetrics needs a Meter, such as metrics.getMeter('rowkey') of @opentelemetry/api.",
    )
  }
  const duration = meter.createHistogram('db.client.operation.duration', {
    description: 'Duration of calls to the Table service, with their retries.',
    unit: 's',
  })
  const retries = meter.createCounter('rowkey.retries', {
    description: 'Attempts that followed a failed one.',
    unit: '{retry}',
  })
  const startedAt = new Map<string, number>()
  return (event) => {
    const { clientRequestId, operation, url, at } = event
    const attributes = { 'db.operation.name': operation, 'server.address': new URL(url).hostname }
    if (event.type === 'sending' && !startedAt.has(clientRequestId))
      startedAt.set(clientRequestId, at)
    if (event.type === 'retrying') {
      retries.add(1, { ...attributes, 'error.type': errorCodeOf(event.error) })
    }
    if (event.type !== 'completed') return
    const seconds = (at - (startedAt.get(clientRequestId) ?? at)) / 1_000
    startedAt.delete(clientRequestId)
    duration.record(seconds, { ...attributes, ...errorOf(event.error) })
  }
}

function errorOf(error: unknown): SpanAttributes {
  if (error === undefined) return {}
  return { [isExpected(error) ? 'rowkey.code' : 'error.type']: errorCodeOf(error) }
}
