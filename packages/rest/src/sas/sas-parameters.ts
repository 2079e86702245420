import { aFunction, anything, type OptionRules } from '@rowkey/odata'
import { restInputError } from '../errors/codes.ts'
import { SharedKeyCredential } from '../sign/shared-key-credential.ts'

/** The options of every kind of shared access signature. */
export interface SasOptions {
  /** The key that signs. Only a key can: a SAS cannot be made from a SAS or a token. */
  readonly credential: SharedKeyCredential
  /**
   * When the token becomes valid, UTC, in seconds. Leave it out to begin at once: clocks differ, so a
   * start must be at least 5 minutes in the past to be safe.
   *
   * @defaultValue at once
   */
  readonly start?: Date | undefined
  /** When the token expires, UTC, in seconds. Any later time is valid. */
  readonly expiry?: Date | undefined
  /**
   * The clients that may use it: an IPv4 address, or two with a dash between.
   *
   * @defaultValue all clients
   */
  readonly ips?: string | undefined
  /**
   * The protocols that it may be used with.
   *
   * @defaultValue `'https'`, if the version supports it
   */
  readonly protocol?: SasProtocol | undefined
  /**
   * The service version that reads the token (`sv`). It decides which text is signed, and how the
   * service responds to clients that name no version.
   *
   * @defaultValue `'2019-02-02'`
   */
  readonly version?: string | undefined
  /**
   * The clock: milliseconds since 1970, UTC. It decides what has expired and what to warn of.
   *
   * @defaultValue `Date.now`
   */
  readonly now?: (() => number) | undefined
}

/** The protocols that a shared access signature may be used with. */
export type SasProtocol = 'https' | 'https,http'

/** What depends on the version, or has a code of its own, is checked where the token is made. */
export const sasRules: OptionRules<SasOptions> = {
  credential: anything,
  expiry: anything,
  ips: anything,
  now: aFunction,
  protocol: anything,
  start: anything,
  version: anything,
}

/** The parameters of a token by their names on the wire, without the signature. */
export type SasParameters = Readonly<Record<string, string | undefined>>

/**
 * Makes the parameters that every kind of token has.
 *
 * @param options - the caller's options
 * @param version - the version, checked
 * @throws `InputError` (`InvalidSas`) for options that no service accepts
 */
export function commonParameters(options: SasOptions, version: string): SasParameters {
  checkSigner(options.credential)
  const { start, expiry, ips, now = Date.now } = options
  const st = start === undefined ? undefined : printSasTime(start, 'start')
  const se = expiry === undefined ? undefined : printSasTime(expiry, 'expiry')
  if (expiry !== undefined && expiry.getTime() <= Math.max(now(), start?.getTime() ?? 0)) {
    throw invalidSas('expiry of a SAS must be in the future, and after its start.')
  }
  return {
    sv: version,
    st,
    se,
    sip: ips === undefined ? undefined : checkIps(ips, version),
    spr: checkProtocol(options.protocol, version),
  }
}

/**
 * Makes the error of options that no service accepts.
 *
 * @param message - what is wrong
 */
export function invalidSas(message: string): Error {
  return restInputError({ code: 'InvalidSas', message })
}

function checkSigner(credential: SharedKeyCredential): void {
  if (credential instanceof SharedKeyCredential) return
  throw restInputError({
    code: 'AccountKeyRequired',
    message:
      'Making a SAS needs the account key: credential must be a SharedKeyCredential. A SAS or a token is not enough.',
  })
}

function checkIps(ips: string, version: string): string {
  checkSupports('ips', version)
  if (typeof ips === 'string' && parseIpv4Range(ips) !== undefined) return ips
  throw invalidSas(
    "ips of a SAS must be an IPv4 address without leading zeros, or two with a dash between, the lower one first: '168.1.5.60-168.1.5.70'.",
  )
}

function checkProtocol(protocol: SasProtocol | undefined, version: string): string | undefined {
  if (protocol === undefined) return version < ACCOUNT_SAS_VERSION ? undefined : 'https'
  checkSupports('protocol', version)
  if (protocol === 'https' || protocol === 'https,http') return protocol
  throw invalidSas("protocol of a SAS must be 'https' or 'https,http'.")
}

function checkSupports(name: string, version: string): void {
  if (version >= ACCOUNT_SAS_VERSION) return
  throw invalidSas(
    `${name} of a SAS needs version ${ACCOUNT_SAS_VERSION} or later. Leave it out, or use a later version.`,
  )
}

/**
 * Prints a token: its parameters and their signature, percent-encoded.
 *
 * @param parameters - the parameters; those without a value are left out
 * @param signature - the signature of the string-to-sign
 */
export function printSasToken(parameters: SasParameters, signature: string): string {
  const pairs = Object.entries({ ...parameters, sig: signature })
    .filter((pair): pair is [string, string] => pair[1] !== undefined)
    .map(([name, value]) => `${name}=${encodeURIComponent(value)}`)
  return pairs.join('&')
}

/**
 * Sorts letters of a shared access signature into the order that services need.
 *
 * @param letters - the caller's letters in any order, each at most once
 * @param order - every letter, in order
 * @param name - the option, for the message
 * @throws `InputError` (`InvalidSas`) without letters, and for an unknown or a repeated letter
 */
export function orderLetters(letters: string, order: string, name: string): string {
  const found = typeof letters === 'string' ? [...letters] : []
  const ordered = [...order].filter((letter) => found.includes(letter))
  if (ordered.length > 0 && ordered.length === found.length) return ordered.join('')
  throw invalidSas(
    `${name} of a SAS must be letters out of '${order}', at least one and each once.`,
  )
}

/** Later years have five digits, which a token cannot contain. */
const LATEST = Date.UTC(10_000, 0)

/**
 * Prints a moment for a shared access signature: `2099-01-01T00:00:00Z`. Fractions of a second are
 * cut off.
 *
 * @param date - the moment
 * @param name - the option, for the message
 * @throws `InputError` (`InvalidSas`) unless it is a Date in the years 0 to 9999
 */
export function printSasTime(date: Date, name: string): string {
  const time = date instanceof Date ? date.getTime() : Number.NaN
  if (time < LATEST && date.getUTCFullYear() >= 0) return `${date.toISOString().slice(0, 19)}Z`
  throw invalidSas(`${name} of a SAS must be a valid Date before the year 10000.`)
}

/** The first version with a table SAS. */
export const TABLE_SAS_VERSION = '2012-02-12'

/** The first version with an account SAS, and with `sip` and `spr`. */
export const ACCOUNT_SAS_VERSION = '2015-04-05'

const VERSION = /^20\d{2}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])$/

/**
 * Rejects an invalid `sv` of a token. Versions are dates and compare as text.
 *
 * @param version - the service version that reads the token
 * @param first - the earliest version with this kind of token
 * @throws `InputError` (`InvalidSas`)
 */
export function checkSasVersion(version: string, first: string): string {
  if (typeof version === 'string' && VERSION.test(version) && version >= first) return version
  throw invalidSas(
    `version of this kind of SAS must be a date such as '2019-02-02', and not before ${first}.`,
  )
}

const SLACK = 5 * 60_000
const LONG_LIFE = 24 * 60 * 60_000

/**
 * Lists the risks of a valid token.
 *
 * @param options - the caller's options
 * @param spr - the protocols of the token
 * @param policy - the stored policy that can revoke it, if any
 * @see https://learn.microsoft.com/azure/storage/common/storage-sas-overview
 */
export function sasWarnings(
  options: SasOptions,
  spr: string | undefined,
  policy: string | undefined,
): string[] {
  const { start, expiry, now = Date.now } = options
  const warnings: string[] = []
  if (spr !== 'https') {
    warnings.push("It allows plain http, where others can read it: set protocol to 'https'.")
  }
  if (start !== undefined && Math.abs(start.getTime() - now()) < SLACK) {
    warnings.push(
      'It starts less than 5 minutes from now, so a service with another clock rejects it at first: leave start out, or move it further back.',
    )
  }
  if (expiry !== undefined && expiry.getTime() - now() > LONG_LIFE && policy === undefined) {
    warnings.push(
      'It is valid for more than a day and can be revoked only by changing the account key: let it expire sooner, or base it on a stored access policy.',
    )
  }
  return warnings
}

/** IPv4 addresses from one to another, both included, as numbers. */
export interface Ipv4Range {
  /** The first address: its four bytes as one number, the first byte highest. */
  readonly low: number
  /** The last address; the same as `low` for one address. */
  readonly high: number
}

/** Four numbers from 0 to 255. A leading zero is invalid, because some programs read it as octal. */
const ADDRESS = /^(?:(?:25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)(?:\.(?!$)|$)){4}$/

/**
 * Parses an IPv4 address.
 *
 * @param text - such as `168.1.5.60`
 * @returns its four bytes as one number; `undefined` for anything else, such as `01.2.3.4`
 */
export function parseIpv4(text: string): number | undefined {
  if (!ADDRESS.test(text)) return undefined
  return text.split('.').reduce((number, part) => number * 256 + Number(part), 0)
}

/**
 * Parses the `sip` of a shared access signature: one IPv4 address, or two with a dash between, the
 * lower one first.
 *
 * @param text - such as `168.1.5.60-168.1.5.70`
 * @returns `undefined` for anything else
 *
 * @example
 * ```ts
 * parseIpv4Range('0.0.0.1-0.0.1.0') // { low: 1, high: 256 }
 * ```
 */
export function parseIpv4Range(text: string): Ipv4Range | undefined {
  const [first = '', last = first, ...others] = text.split('-')
  const low = parseIpv4(first)
  const high = parseIpv4(last)
  if (low === undefined || high === undefined || others.length > 0 || low > high) return undefined
  return { low, high }
}
