import { checkOptions } from '@rowkey/rest'
import { localInputError } from '../errors/codes.ts'

/** The limits of a listener: no client can take its memory or its connections from the others. */
export interface ListenLimits {
  /**
   * Milliseconds in which a client must have sent its request, and in which it must have read the
   * response. A slower sender gets 408, within a second; a slower reader is cut off.
   *
   * @defaultValue 30,000
   */
  readonly requestTimeout?: number | undefined
  /**
   * Connections at one time; more are closed at once.
   *
   * @defaultValue 10,000
   */
  readonly connections?: number | undefined
  /**
   * Bytes of request bodies and unread responses that are held at one time, over all connections. A
   * request that does not fit gets 503 ServerBusy. One connection holds one request (4 MiB at most) or
   * one response (a page ends at about 16 MiB) at a time: requests that are pipelined wait.
   *
   * @defaultValue 268,435,456: 256 MiB
   */
  readonly bufferedBytes?: number | undefined
}

const DEFAULTS = {
  requestTimeout: 30_000,
  connections: 10_000,
  bufferedBytes: 268_435_456,
} as const

/** The limits with their defaults; refuses what can be no limit. */
export function readListenLimits(limits: ListenLimits = {}): ReadListenLimits {
  checkOptions(limits, Object.keys(DEFAULTS), 'limits of listen')
  const { requestTimeout, connections, bufferedBytes } = limits
  return {
    requestTimeout: checkLimit(requestTimeout ?? DEFAULTS.requestTimeout, 'requestTimeout'),
    connections: checkLimit(connections ?? DEFAULTS.connections, 'connections'),
    bufferedBytes: checkLimit(bufferedBytes ?? DEFAULTS.bufferedBytes, 'bufferedBytes'),
  }
}

/** Every limit of {@link ListenLimits}. */
export type ReadListenLimits = Record<keyof ListenLimits, number>

function checkLimit(value: unknown, name: string): number {
  if (typeof value === 'number' && Number.isInteger(value) && value >= 1 && value < 2 ** 31) {
    return value
  }
  throw localInputError({
    code: 'InvalidOptionValue',
    message: `${name} of the limits of listen must be a whole number from 1 to ${2 ** 31 - 1}.`,
  })
}
