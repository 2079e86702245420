import { aFunction, checkValue, declareOptions, milliseconds } from '@rowkey/odata'
import { AbortError } from '../errors/abort-error.ts'
import { type CloseOptions, isRead, type Transport } from '../http/transport.ts'
import { timeoutErrorOf } from '../http/transport-errors.ts'
import { type Sleep, sleep } from '../wait/sleep.ts'

/** The options of {@link delayingTransport}. */
export interface DelayingTransportOptions {
  /**
   * Milliseconds to wait before a request is sent.
   *
   * @defaultValue `0`
   */
  readonly before?: number | undefined
  /**
   * Milliseconds to wait after a response has arrived.
   *
   * @defaultValue `0`
   */
  readonly after?: number | undefined
  /**
   * The clock: milliseconds since 1970, UTC.
   *
   * @defaultValue `Date.now`
   */
  readonly now?: (() => number) | undefined
  /**
   * Waits.
   *
   * @defaultValue a timer of this machine
   */
  readonly sleep?: Sleep | undefined
}

const delayingOptions = declareOptions<DelayingTransportOptions>({
  after: milliseconds,
  before: milliseconds,
  now: aFunction,
  sleep: aFunction,
})

/**
 * Makes a Transport that delays another one, to test a program with a slow service. The timeout and the
 * signal of an attempt end the waits, too.
 *
 * @param inner - carries the requests
 * @param options - how long to wait, and when
 * @throws `InputError` (`UnknownOption` or `InvalidOptionValue`)
 *
 * @example
 * ```ts
 * const transport = delayingTransport(undiciTransport(), { after: 2_000 })
 * ```
 */
export function delayingTransport(inner: Transport, options: DelayingTransportOptions): Transport {
  checkValue(inner, aFunction, 'inner', 'delayingTransport')
  delayingOptions.check(options, 'delayingTransport')
  const { before = 0, after = 0, now = Date.now, sleep: wait = sleep } = options

  const send: Transport = async (request, { signal, timeout } = {}) => {
    const end = now() + (timeout ?? Number.POSITIVE_INFINITY)
    const pause = async (delay: number, sent: boolean): Promise<void> => {
      if (delay === 0) return
      const left = end - now()
      await wait(Math.max(0, Math.min(delay, left)), signal)
      const mayHaveApplied = sent && !isRead(request)
      if (signal?.aborted) throw new AbortError({ reason: signal.reason, mayHaveApplied })
      if (timeout !== undefined && left <= delay) throw timeoutErrorOf(request, timeout, sent)
    }
    await pause(before, false)
    const left = timeout === undefined ? undefined : Math.max(1, end - now())
    const response = await inner(request, { signal, timeout: left })
    await pause(after, true)
    return response
  }
  return Object.assign(send, {
    close: async (options?: CloseOptions) => inner.close?.(options),
  })
}
