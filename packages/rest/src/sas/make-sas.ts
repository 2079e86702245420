import { aFunction, anything, type OptionRules, oneOf, type Rule, rule } from '@rowkey/odata'
import { restInputError } from '../errors/codes.ts'
import { SERVICE_VERSION } from '../request/headers.ts'
import { SharedKeyCredential } from '../sign/shared-key-credential.ts'
import { parseIpv4Range } from './ipv4-range.ts'
import { ACCOUNT_SAS_VERSION, type SasParameters, sasStringToSign } from './sas-string-to-sign.ts'
import { SharedAccessSignature } from './shared-access-signature.ts'

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

/** Later years have five digits, which a token cannot contain. */
const LATEST = Date.UTC(10_000, 0)

/** The rule of a time in a token. */
export const sasTime: Rule = rule('a valid Date before the year 10000', (date) => {
  const time = date instanceof Date ? date : new Date(Number.NaN)
  return time.getTime() < LATEST && time.getUTCFullYear() >= 0
})

const VERSION = /^20\d{2}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])$/

/** The signer has a code of its own, and what depends on the version is checked where the token is made. */
export const sasRules: OptionRules<SasOptions> = {
  credential: anything,
  expiry: sasTime,
  ips: rule(
    "an IPv4 address without leading zeros, or two with a dash between, the lower one first: '168.1.5.60-168.1.5.70'",
    (ips) => typeof ips === 'string' && parseIpv4Range(ips) !== undefined,
  ),
  now: aFunction,
  protocol: oneOf('https', 'https,http'),
  start: sasTime,
  version: rule(
    "a date such as '2019-02-02'",
    (version) => typeof version === 'string' && VERSION.test(version),
  ),
}

/**
 * Makes the rule of letters that a token has in a fixed order.
 *
 * @param order - every letter, in order
 */
export function sasLetters(order: string): Rule {
  return rule(
    `letters out of '${order}', at least one and each once`,
    (letters) =>
      typeof letters === 'string' &&
      letters !== '' &&
      inOrder(letters, order).length === letters.length,
  )
}

/**
 * Sorts letters into the order that services need.
 *
 * @param letters - letters in any order, each once
 * @param order - every letter, in order
 */
export function inOrder(letters: string, order: string): string {
  return [...order].filter((letter) => letters.includes(letter)).join('')
}

/**
 * Makes the error of options that no service accepts.
 *
 * @param message - what is wrong
 */
export function invalidSas(message: string): Error {
  return restInputError({ code: 'InvalidSas', message })
}

/**
 * Makes a token of any kind: adds the parameters that all kinds have, signs them and lists the risks.
 *
 * @param options - the caller's options, checked by the rules of {@link sasRules}
 * @param first - the earliest version with this kind of token
 * @param own - the parameters of this kind
 * @throws `InputError` (`InvalidSas`) for options that no service accepts, and `AccountKeyRequired`
 */
export function makeSas(
  options: SasOptions,
  first: string,
  own: SasParameters,
): SharedAccessSignature {
  const { credential, start, expiry, ips, protocol, version = SERVICE_VERSION } = options
  checkSigner(credential)
  checkVersion(options, version, first)
  const now = options.now?.() ?? Date.now()
  if (expiry !== undefined && expiry.getTime() <= Math.max(now, start?.getTime() ?? 0)) {
    throw invalidSas('expiry of a SAS must be in the future, and after its start.')
  }
  const parameters: SasParameters = {
    sv: version,
    st: start && printTime(start),
    se: expiry && printTime(expiry),
    sip: ips,
    spr: protocol ?? (version < ACCOUNT_SAS_VERSION ? undefined : 'https'),
    ...own,
  }
  const signature = credential.sign(sasStringToSign(parameters, credential.account))
  const warnings = sasWarnings(options, parameters.spr, own.si)
  return new SharedAccessSignature(printSasToken(parameters, signature), warnings)
}

function checkSigner(credential: SharedKeyCredential): void {
  if (credential instanceof SharedKeyCredential) return
  throw restInputError({
    code: 'AccountKeyRequired',
    message: 'Making a SAS needs the account key: credential must be a SharedKeyCredential.',
  })
}

/** Versions are dates and compare as text. */
function checkVersion({ ips, protocol }: SasOptions, version: string, first: string): void {
  if (version < first) {
    throw invalidSas(`version of this kind of SAS must not be before ${first}.`)
  }
  const later = ips === undefined ? protocol && 'protocol' : 'ips'
  if (later === undefined || version >= ACCOUNT_SAS_VERSION) return
  throw invalidSas(
    `${later} of a SAS needs version ${ACCOUNT_SAS_VERSION} or later. Leave it out, or use a later version.`,
  )
}

/** Fractions of a second are cut off: `2099-01-01T00:00:00Z`. */
function printTime(date: Date): string {
  return `${date.toISOString().slice(0, 19)}Z`
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
      'It starts less than 5 minutes from now, and clocks differ: leave start out, or move it back.',
    )
  }
  if (expiry !== undefined && expiry.getTime() - now() > LONG_LIFE && policy === undefined) {
    warnings.push(
      'It is valid for more than a day and can be revoked only by changing the account key: let it expire sooner, or use a stored access policy.',
    )
  }
  return warnings
}
