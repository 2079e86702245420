import type { InputError } from '@rowkey/odata'
import {
  type Credential,
  type Flavour,
  type HttpRequest,
  printHttpDate,
  stringToSign,
} from '@rowkey/rest'
import { localInputError } from '../errors/codes.ts'
import { SigningKey } from '../platform/crypto.ts'
import { Rejection } from '../rejection/rejection.ts'

/**
 * Makes a credential that signs with the key of an embedded account. It works in browsers and
 * workers too: an embedded key protects only data in the same program.
 */
export function accountCredential(account: string, key: AccountKey): Credential {
  return {
    authorize(request, _endpoint, now) {
      const date = printHttpDate(now)
      const signature = key.sign(stringToSign('SharedKeyLite', request, account, date))
      const authorization = `SharedKeyLite ${account}:${signature}`
      return { ...request, headers: { 'x-ms-date': date, authorization, ...request.headers } }
    },
  }
}

/** A storage account of an embedded service. An account with two keys is given twice. */
export interface LocalAccount {
  /** 3 to 24 lower-case letters and digits. */
  readonly name: string
  /** The account's key in base64. */
  readonly key: string
}

/** The key of an account, ready to sign; of two keys, the first signs, and signatures of both are accepted. */
export type AccountKey = Pick<SigningKey, 'sign' | 'matches' | 'toBase64'>

/** The accounts of a service by name, each with its key. The first is the default. */
export type AccountKeys = ReadonlyMap<string, AccountKey>

const NAME = /^[a-z0-9]{3,24}$/
const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=|[A-Za-z0-9+/]{4})$/

/**
 * Checks the accounts and reads their keys.
 *
 * @throws InputError (`InvalidAccount`)
 */
export function readAccountKeys(accounts: readonly LocalAccount[]): AccountKeys {
  const keys = new Map<string, readonly SigningKey[]>()
  for (const account of Array.isArray(accounts) ? accounts : []) {
    const { name, key } = checkAccount(account)
    const own = [...(keys.get(name) ?? []), new SigningKey(key)]
    if (own.length > MOST_KEYS) {
      throw invalidAccount(
        `Account '${name}' has more than ${MOST_KEYS} keys. Give it twice at most.`,
      )
    }
    keys.set(name, own)
  }
  if (keys.size > 0) return new Map(Array.from(keys, ([name, own]) => [name, keyOfAll(own)]))
  throw invalidAccount(
    'accounts must contain at least one { name, key }. Leave the option out for the default account.',
  )
}

/** As in Azure, so that a program can use one while the other is renewed. */
const MOST_KEYS = 2

function keyOfAll(keys: readonly SigningKey[]): AccountKey {
  const [first] = keys as readonly [SigningKey] // an account has at least one
  return {
    sign: (text) => first.sign(text),
    matches: (text, signature) => keys.some((key) => key.matches(text, signature)),
    toBase64: () => first.toBase64(),
  }
}

/**
 * Returns an account and its key; without a name, the first account.
 *
 * @throws InputError (`InvalidAccount`) for an unknown account
 */
export function keyOfAccount(
  accounts: AccountKeys,
  name: string | undefined,
): { name: string; key: AccountKey } {
  for (const [known, key] of accounts) {
    if (name === undefined || name === known) return { name: known, key }
  }
  const known = [...accounts.keys()].join(', ')
  throw invalidAccount(
    `Unknown account ${JSON.stringify(name)}. The embedded service has: ${known}.`,
  )
}

function checkAccount(given: unknown): LocalAccount {
  const { name, key } = Object(given) as Partial<LocalAccount>
  if (typeof name !== 'string' || !NAME.test(name)) {
    const text = JSON.stringify(name)
    throw invalidAccount(`Invalid account name ${text}. Use 3 to 24 lower-case letters and digits.`)
  }
  if (typeof key === 'string' && BASE64.test(key)) return { name, key }
  throw invalidAccount(
    `The key of account '${name}' is not base64. Copy it as it is in a connection string.`,
  )
}

function invalidAccount(message: string): InputError {
  return localInputError({ code: 'InvalidAccount', message })
}

/**
 * Prints a connection string for an account in path style, as every client reads it. Its address does not tell Cosmos DB, so the
 * text does.
 */
export function printConnectionString(
  origin: string,
  { name, key }: { readonly name: string; readonly key: AccountKey },
  flavour: Flavour,
): string {
  return [
    `DefaultEndpointsProtocol=${origin.slice(0, origin.indexOf(':'))}`,
    `AccountName=${name}`,
    `AccountKey=${key.toBase64()}`,
    `TableEndpoint=${origin}/${name}`,
    ...(flavour === 'cosmos' ? ['Flavour=cosmos'] : []),
  ].join(';')
}

/**
 * Prints the origin that reaches a listener. An address that means every interface cannot be
 * called.
 */
export function printOrigin(scheme: 'http' | 'https', host: string, port: number): string {
  const reachable = host === '0.0.0.0' ? '127.0.0.1' : host === '::' ? '::1' : host
  return `${scheme}://${reachable.includes(':') ? `[${reachable}]` : reachable}:${port}`
}

/** The account that a request is for, and the rest of its path. */
export interface Located {
  /** The name of the account, without `-secondary`. */
  readonly account: string
  /** Whether the request came to the read-only secondary location, `contoso-secondary`. */
  readonly isSecondary: boolean
  /** Empty in host style, `/account` in path style. */
  readonly basePath: string
  /** The path below the account, still percent-encoded; begins with `/`. */
  readonly resourcePath: string
}

const SECONDARY = '-secondary'

/** The address of this machine does not name an account called `127`. */
const IPV4 = /:\/\/\d+\.\d+\.\d+\.\d+(?::\d*)?$/

/**
 * Finds the account: in the first label of the host (`contoso.table.localhost`), or else in the
 * first segment of the path (`127.0.0.1:10002/contoso`). Either may end with `-secondary`.
 *
 * @throws Rejection InvalidUri, or AuthenticationFailed for an unknown account
 */
export function locateAccount(
  accounts: AccountKeys,
  request: Pick<HttpRequest, 'origin' | 'path'>,
): Located {
  const label = firstLabel(request.origin)
  if (accounts.has(primaryOf(label)) && !IPV4.test(request.origin)) {
    return locatedAt(label, '', request.path)
  }
  const end = request.path.indexOf('/', 1)
  const basePath = end < 0 ? request.path : request.path.slice(0, end)
  const segment = basePath.slice(1)
  if (segment === '') throw new Rejection('InvalidUri')
  if (!accounts.has(primaryOf(segment))) throw new Rejection('AuthenticationFailed')
  const resourcePath = end < 0 ? '/' : request.path.slice(end)
  return locatedAt(segment, basePath, resourcePath)
}

/** Removes `-secondary` from a name. The names of accounts contain no dash. */
export function primaryOf(name: string): string {
  return name.endsWith(SECONDARY) ? name.slice(0, -SECONDARY.length) : name
}

function locatedAt(name: string, basePath: string, resourcePath: string): Located {
  const account = primaryOf(name)
  return { account, isSecondary: account !== name, basePath, resourcePath }
}

function firstLabel(origin: string): string {
  const start = origin.indexOf('://') + 3
  const dot = origin.indexOf('.', start)
  return dot < 0 ? '' : origin.slice(start, dot).toLowerCase()
}
