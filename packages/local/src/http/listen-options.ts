import { checkOptions } from '@rowkey/rest'
import { localInputError } from '../errors/codes.ts'

/** Where an embedded service is to listen: see {@link LocalTableService.listen}. */
export interface ListenOptions {
  /**
   * The TCP port; 0 takes any that is free.
   *
   * @defaultValue 10002, as emulators have it
   */
  readonly port?: number | undefined
  /**
   * The address or host name to listen on.
   *
   * @defaultValue `127.0.0.1`, which only this machine can reach
   */
  readonly host?: string | undefined
  /**
   * Host names by which clients may call it, each with every name below it. Always taken are
   * addresses, names without a dot, names below `localhost`, `internal` and `test`, which no stranger
   * can have, and those of Azure's own tables. Any other is answered with 400 InvalidHeaderValue, so
   * that no page on the web can reach the service by letting a name of its own point here.
   *
   * @defaultValue no further name on loopback; any name when `host` is an address that others reach
   *
   * @example
   * ```ts
   * await local.listen({ hosts: ['tables.example.com'] })
   * ```
   */
  readonly hosts?: readonly string[] | undefined
  /** What it bears: slow clients, many connections, large bodies. */
  readonly limits?: ListenLimits | undefined
}

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
