import {
  type AccessTokenSource,
  type Credential,
  type Endpoint,
  type HttpRequest,
  SasCredential,
  SharedKeyCredential,
} from '@rowkey/rest'
import { checkText } from '../errors/check-arguments.ts'

/** An account name and its key, as the official client's credentials have them. */
export interface NamedKeyCredential {
  /** The account's name. */
  readonly name: string
  /** The account key in base64. */
  readonly key: string
}

/** A shared access signature, as the official client's credentials have it. */
export interface SASCredential {
  /** The query text of the SAS. */
  readonly signature: string
}

/** An account name and key that can be changed while clients use them. */
export class AzureNamedKeyCredential implements NamedKeyCredential {
  #name: string
  #key: string

  /**
   * @param name - the account's name
   * @param key - the account key in base64
   * @throws InputError when one is not a string or is empty
   */
  constructor(name: string, key: string) {
    checkNameAndKey(name, key)
    this.#name = name
    this.#key = key
  }

  /** The account's name. */
  get name(): string {
    return this.#name
  }

  /** The account key in base64. */
  get key(): string {
    return this.#key
  }

  /**
   * Changes both; the next attempt of every client uses them.
   *
   * @throws InputError when one is not a string or is empty; then both stay as they were
   */
  update(newName: string, newKey: string): void {
    checkNameAndKey(newName, newKey)
    this.#name = newName
    this.#key = newKey
  }
}

/** A shared access signature that can be changed while clients use it. */
export class AzureSASCredential implements SASCredential {
  #signature: string

  /**
   * @param signature - the query text of the SAS
   * @throws InputError when it is not a string or is empty
   */
  constructor(signature: string) {
    checkText(signature, SIGNATURE)
    this.#signature = signature
  }

  /** The query text of the SAS. */
  get signature(): string {
    return this.#signature
  }

  /**
   * Changes the SAS; the next attempt of every client uses it.
   *
   * @throws InputError when it is not a string or is empty; then the SAS stays as it was
   */
  update(newSignature: string): void {
    checkText(newSignature, SIGNATURE)
    this.#signature = newSignature
  }
}

const SIGNATURE = 'The signature of an AzureSASCredential'

function checkNameAndKey(name: unknown, key: unknown): void {
  checkText(name, 'The name of an AzureNamedKeyCredential')
  checkText(key, 'The key of an AzureNamedKeyCredential')
}

/** A key, a SAS, a token source such as `DefaultAzureCredential`, or a credential of Rowkey. */
export type ClientCredential = NamedKeyCredential | SASCredential | AccessTokenSource | Credential

/** Tells whether an argument is a credential, and not the options of a client. */
export function isCredential(argument: unknown): argument is ClientCredential {
  const { key, name, signature, getToken, authorize } = Object(argument)
  if (typeof getToken === 'function' || typeof authorize === 'function') return true
  return typeof signature === 'string' || (typeof key === 'string' && typeof name === 'string')
}

/**
 * Makes the credential of a client. Keys and SAS are read anew for each attempt, since the caller may update them.
 *
 * @param given - the caller's credential
 * @throws InputError for an invalid key or SAS
 */
export function toCredential(given: ClientCredential): Credential | AccessTokenSource {
  if ('authorize' in given) return given
  // The official client asks for several scopes at once.
  if ('getToken' in given) {
    return { getToken: (scope, options) => given.getToken([scope] as never, options) }
  }
  const valuesOf = (): readonly string[] =>
    'signature' in given ? [given.signature] : [given.name, given.key]
  let values = valuesOf()
  let credential = credentialOf(values)
  return {
    authorize(request: HttpRequest, endpoint: Endpoint, now: number) {
      const latest = valuesOf()
      if (latest.some((value, index) => value !== values[index])) {
        values = latest
        credential = credentialOf(latest)
      }
      return credential.authorize(request, endpoint, now)
    },
  }
}

function credentialOf([first = '', key]: readonly string[]): Credential {
  return key === undefined ? sasOf(first) : sharedKeyOf(first, key)
}

/**
 * Makes the credential of a key. A text that is not base64 gives a wrong signature, as it does in the official
 * client, and the service rejects it.
 *
 * @throws InputError (`InvalidCredential`) for an account name that no service has
 */
export function sharedKeyOf(account: string, key: string): SharedKeyCredential {
  return new SharedKeyCredential({ account, key: base64In(key) })
}

/** Reads as base64 what the official client reads as base64. */
export function base64In(key: string): string {
  const digits = key
    .replaceAll('-', '+')
    .replaceAll('_', '/')
    .replaceAll(/[^A-Za-z\d+/]/g, '')
  const whole = digits.length % 4 === 1 ? digits.slice(0, -1) : digits
  return whole.padEnd(Math.ceil(whole.length / 4) * 4, '=')
}

/**
 * Makes the credential of a SAS. The service checks what it allows, so its errors are those that programs know.
 *
 * @throws InputError (`InvalidCredential`) when the text is not a SAS
 */
export function sasOf(token: string): Credential {
  return new SasCredential(token, { checks: 'by the service' })
}

/** Sends requests without a signature, for tables behind a proxy that signs, and for fakes of the service. */
export const anonymous: Credential = { authorize: (request) => request }
