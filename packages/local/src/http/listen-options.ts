import { isIP } from 'node:net'
import { checkOptions } from '@rowkey/rest'
import { invalidOption } from '../errors/invalid-option.ts'
import { Rejection } from '../rejection/rejection.ts'

/** Host names for a listener, besides those of this machine. */
export type HostNames = readonly string[]

const NAME = /^[a-z0-9-]+(?:\.[a-z0-9-]+)*$/i
const PORT = /:\d*$/
/** The brackets around an IPv6 address, which may end like an IPv4 one. */
const BRACKETS = /^\[|\]$/g

/**
 * Domains in which a stranger cannot have a name: reserved ones, and those of Azure's tables, which
 * a hosts file may send here.
 */
const SAFE_DOMAINS: HostNames = [
  'localhost',
  'internal',
  'test',
  'table.core.windows.net',
  'table.core.chinacloudapi.cn',
  'table.core.usgovcloudapi.net',
  'table.storage.azure.net',
  'table.cosmos.azure.com',
  'table.cosmosdb.azure.com',
]

/**
 * Reads the option `hosts`.
 *
 * @throws InputError (`InvalidOptionValue`)
 */
export function readHostNames(hosts: HostNames | undefined): HostNames | undefined {
  if (hosts === undefined) return undefined
  const isList =
    Array.isArray(hosts) && hosts.every((name) => typeof name === 'string' && NAME.test(name))
  if (isList) return hosts.map((name) => name.toLowerCase())
  throw invalidOption({
    name: 'hosts of listen',
    value: hosts,
    rule: "a list of host names without scheme and port, such as ['tables.example.com']",
  })
}

/**
 * Rejects a request to a host name that may belong to a stranger. A page on the web can point its
 * own name to this machine; its scripts would then have the origin of the service.
 *
 * @param host - the Host header
 * @param names - allowed with all names below them, besides addresses and the names of this machine
 * @throws Rejection InvalidHeaderValue
 * @see https://developer.mozilla.org/docs/Web/Security/Attacks/DNS_rebinding
 */
export function checkHostName(host: string, names: HostNames): void {
  const name = host.replace(PORT, '').replace(/\.$/, '').toLowerCase()
  if (!name.includes('.') || isIP(name.replace(BRACKETS, '')) !== 0) return
  const isBelow = (domain: string) => name === domain || name.endsWith(`.${domain}`)
  if (SAFE_DOMAINS.some(isBelow) || names.some(isBelow)) return
  throw new Rejection('InvalidHeaderValue', {
    text: `The Host '${name}' is not a name of this listener. To allow it, add it to 'hosts' of listen(), or pass it to --allow-host of rowkey serve.`,
  })
}

/** Tells whether only this machine can reach a listener on an IP address. */
export function isLoopback(address: string): boolean {
  return address === '::1' || address.startsWith('127.')
}

/** Options of {@link LocalTableService.listen}. */
export interface ListenOptions {
  /**
   * The TCP port; 0 takes a free one.
   *
   * @defaultValue 10002, the port of emulators
   */
  readonly port?: number | undefined
  /**
   * The address or host name to listen on.
   *
   * @defaultValue `127.0.0.1`, which only this machine can reach
   */
  readonly host?: string | undefined
  /**
   * More host names by which clients may call the listener, including all names below them. Always
   * allowed are addresses, names without a dot, names below `localhost`, `internal` and `test`, and
   * those of Azure's tables. Other names get 400 InvalidHeaderValue, so that a page on the web
   * cannot reach the service by pointing a name of its own here.
   *
   * @defaultValue none on loopback; any name when other machines can reach `host`
   *
   * @example
   * ```ts
   * await local.listen({ hosts: ['tables.example.com'] })
   * ```
   */
  readonly hosts?: readonly string[] | undefined
  /** Limits on slow clients, connections and memory. */
  readonly limits?: ListenLimits | undefined
}

/** The limits of a listener. They keep a client from taking its memory or its connections. */
export interface ListenLimits {
  /**
   * Milliseconds for a client to send its request, and again to read the response. A slower sender
   * gets 408 within a second; a slower reader is cut off.
   *
   * @defaultValue 30,000
   */
  readonly requestTimeout?: number | undefined
  /**
   * The most connections at one time. More are closed at once.
   *
   * @defaultValue 10,000
   */
  readonly connections?: number | undefined
  /**
   * The most bytes of request bodies and unread responses at one time, over all connections. A
   * request that does not fit gets 503 ServerBusy. One connection holds one request (at most 4 MiB)
   * or one response (a page ends at about 16 MiB) at a time, and pipelined requests wait.
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

/**
 * Reads the limits and adds their defaults.
 *
 * @throws InputError for an unknown limit or an invalid value
 */
export function readListenLimits(limits: ListenLimits = {}): ReadListenLimits {
  checkOptions(limits, Object.keys(DEFAULTS), 'limits of listen')
  const { requestTimeout, connections, bufferedBytes } = limits
  return {
    requestTimeout: checkLimit(requestTimeout ?? DEFAULTS.requestTimeout, 'requestTimeout'),
    connections: checkLimit(connections ?? DEFAULTS.connections, 'connections'),
    bufferedBytes: checkLimit(bufferedBytes ?? DEFAULTS.bufferedBytes, 'bufferedBytes'),
  }
}

/** All limits with their values. */
export type ReadListenLimits = Record<keyof ListenLimits, number>

function checkLimit(value: unknown, name: string): number {
  if (typeof value === 'number' && Number.isInteger(value) && value >= 1 && value < 2 ** 31) {
    return value
  }
  throw invalidOption({
    name: `${name} of the limits of listen`,
    value,
    rule: `a whole number from 1 to ${2 ** 31 - 1}`,
  })
}
