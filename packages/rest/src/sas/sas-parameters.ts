import { restInputError } from '../errors/codes.ts'

import { SharedKeyCredential } from '../sign/shared-key-credential.ts'
import { checkIpRange } from './ipv4.ts'

/** What every shared access signature says, whichever its kind. */
export interface SasTerms {
  /** Whose key signs. Only the key can: a SAS cannot be made from a SAS or a token. */
  readonly credential: SharedKeyCredential
  /**
   * When it begins to work, UTC; seconds count. Leave it out to begin at once: clocks differ, and a
   * start that lies 5 minutes back is the least that is safe.
   *
   * @defaultValue at once
   */
  readonly start?: Date | undefined
  /** When it ends, UTC; seconds count. There is no upper bound. */
  readonly expiry?: Date | undefined
  /**
   * From where it may be used: an IPv4 address, or two with a dash between.
   *
   * @defaultValue from anywhere
   */
  readonly ips?: string | undefined
  /**
   * Over what it may be used.
   *
   * @defaultValue `'https'`, where the version can say so
   */
  readonly protocol?: SasProtocol | undefined
  /**
   * The version of the service that reads the token (`sv`). It decides what is signed, and, for
   * clients that name no version, how the service answers.
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

/** Over what a shared access signature may be used. */
export type SasProtocol = 'https' | 'https,http'

/** The names of {@link SasTerms}, for {@link checkOptions}. */
export const SAS_TERM_NAMES: readonly string[] = [
  'credential',
  'expiry',
  'ips',
  'now',
  'protocol',
  'start',
  'version',
]

/** The parameters of a token by their names on the wire, without the signature. */
export type SasParameters = Readonly<Record<string, string | undefined>>

/**
 * The parameters that every kind of token has.
 *
 * @param terms - what was asked for
 * @param version - its version, checked
 * @throws {@link InputError} (`InvalidSas`) for what no service would ever accept
 */
export function termParameters(terms: SasTerms, version: string): SasParameters {
  checkSigner(terms.credential)
  checkTimes(terms)
  const { start, expiry, ips } = terms
  if (ips !== undefined) checkHas('ips', version)
  return {
    sv: version,
    st: start && printSasTime(start, 'start'),
    se: expiry && printSasTime(expiry, 'expiry'),
    sip: ips === undefined ? undefined : checkIpRange(ips),
    spr: checkProtocol(terms.protocol, version),
  }
}

function checkSigner(credential: SharedKeyCredential): void {
  if (credential instanceof SharedKeyCredential) return
  throw restInputError({
    code: 'AccountKeyRequired',
    message:
      'Making a SAS needs the account key: credential must be a SharedKeyCredential. With a SAS or a token alone none can be made.',
  })
}

function checkTimes({ start, expiry, now = Date.now }: SasTerms): void {
  if (start !== undefined) printSasTime(start, 'start')
  if (expiry === undefined) return
  printSasTime(expiry, 'expiry')
  const earliest = Math.max(now(), start?.getTime() ?? 0)
  if (expiry.getTime() > earliest) return
  throw restInputError({
    code: 'InvalidSas',
    message: 'expiry of a SAS must be in the future, and after its start.',
  })
}

function checkProtocol(protocol: SasProtocol | undefined, version: string): string | undefined {
  if (protocol === undefined) return version < ACCOUNT_SAS_VERSION ? undefined : 'https'
  checkHas('protocol', version)
  if (protocol === 'https' || protocol === 'https,http') return protocol
  throw restInputError({
    code: 'InvalidSas',
    message: "protocol of a SAS must be 'https' or 'https,http'.",
  })
}

function checkHas(name: string, version: string): void {
  if (version >= ACCOUNT_SAS_VERSION) return
  throw restInputError({
    code: 'InvalidSas',
    message: `${name} of a SAS came with version ${ACCOUNT_SAS_VERSION}: leave it out, or take a later version.`,
  })
}

/**
 * A token: its parameters and their signature, percent-encoded.
 *
 * @param parameters - without the signature; those without a value are left out
 * @param signature - over the text that the version wants
 */
export function printSasToken(parameters: SasParameters, signature: string): string {
  const pairs = Object.entries({ ...parameters, sig: signature })
    .filter((pair): pair is [string, string] => pair[1] !== undefined)
    .map(([name, value]) => `${name}=${encodeURIComponent(value)}`)
  return pairs.join('&')
}

/**
 * Letters of a shared access signature in the order that services want, whatever order they were
 * given in.
 *
 * @param given - the letters, each at most once
 * @param order - every letter there is, in order
 * @param name - the option, for the message
 * @throws {@link InputError} (`InvalidSas`) when there is none, an unknown one, or one twice
 */
export function orderLetters(given: string, order: string, name: string): string {
  const letters = typeof given === 'string' ? [...given] : []
  const ordered = [...order].filter((letter) => letters.includes(letter))
  if (ordered.length > 0 && ordered.length === letters.length) return ordered.join('')
  throw restInputError({
    code: 'InvalidSas',
    message: `${name} of a SAS must be letters out of '${order}', at least one and each once.`,
  })
}

/** The years that have four digits, which is all that a token can say. */
const LATEST = Date.UTC(10_000, 0)

/**
 * A moment as a shared access signature writes it: `2099-01-01T00:00:00Z`. What is finer than a
 * second is cut off.
 *
 * @param date - the moment
 * @param name - the option, for the message
 * @throws {@link InputError} (`InvalidSas`) when it is no Date, or outside of the years 0 to 9999
 */
export function printSasTime(date: Date, name: string): string {
  const time = date instanceof Date ? date.getTime() : Number.NaN
  if (time < LATEST && date.getUTCFullYear() >= 0) return `${date.toISOString().slice(0, 19)}Z`
  throw restInputError({
    code: 'InvalidSas',
    message: `${name} of a SAS must be a valid Date before the year 10000.`,
  })
}

/**
 * The moment of a `st` or `se`, in any of the forms that services accept: a date alone, minutes,
 * seconds, or up to seven digits more.
 *
 * @param text - the parameter's value
 * @returns milliseconds since 1970, UTC, or `undefined` when it is no moment
 */
export function parseSasTime(text: string | undefined): number | undefined {
  const time = text === undefined ? Number.NaN : Date.parse(text)
  return Number.isNaN(time) ? undefined : time
}

/** The first version with a table SAS. */
export const TABLE_SAS_VERSION = '2012-02-12'

/** The first version that puts `/table` before the account in what is signed. */
export const SERVICE_IN_RESOURCE_VERSION = '2015-02-21'

/** The first version with an account SAS, and with `sip` and `spr`. */
export const ACCOUNT_SAS_VERSION = '2015-04-05'

/** The first version whose account SAS signs an encryption scope, even if there is none. */
export const ENCRYPTION_SCOPE_VERSION = '2020-12-06'

const VERSION = /^20\d{2}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])$/

/**
 * Refuses what cannot be the `sv` of a token. Versions are dates and compare as text.
 *
 * @param version - the version of the service that reads the token
 * @param first - the earliest one that has this kind of token
 * @throws {@link InputError} (`InvalidSas`)
 */
export function checkSasVersion(version: string, first: string): string {
  if (typeof version === 'string' && VERSION.test(version) && version >= first) return version
  throw restInputError({
    code: 'InvalidSas',
    message: `version of this kind of SAS must be a date such as '2019-02-02', and not before ${first}.`,
  })
}

const SLACK = 5 * 60_000
const LONG_LIFE = 24 * 60 * 60_000

/**
 * What is unwise about a token although it works.
 *
 * @param terms - what it was asked to say
 * @param spr - the protocols that it allows in the end
 * @param policy - the stored policy that can revoke it, if any
 * @see https://learn.microsoft.com/azure/storage/common/storage-sas-overview
 */
export function sasWarnings(
  terms: SasTerms,
  spr: string | undefined,
  policy: string | undefined,
): string[] {
  const { start, expiry, now = Date.now } = terms
  const warnings: string[] = []
  if (spr !== 'https') {
    warnings.push("It may be used over plain http, where others can read it: say protocol 'https'.")
  }
  if (start !== undefined && Math.abs(start.getTime() - now()) < SLACK) {
    warnings.push(
      'It starts less than 5 minutes from now, so a clock that differs refuses it at first: leave start out, or let it lie further back.',
    )
  }
  if (expiry !== undefined && expiry.getTime() - now() > LONG_LIFE && policy === undefined) {
    warnings.push(
      'It lives longer than a day and can be revoked only by changing the account key: let it expire sooner, or base it on a stored access policy.',
    )
  }
  return warnings
}
