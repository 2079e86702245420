import { checkValue, invalidOption } from '@rowkey/odata'
import { type Endpoint, type Flavour, flavourRule, isAccountName } from '../endpoint/endpoint.ts'
import { checkSecureEndpoint, endpointOf } from '../endpoint/endpoint-of.ts'
import { SasCredential } from '../sas/sas-credential.ts'
import type { AccessTokenSource } from '../sign/access-tokens.ts'
import { BearerCredential } from '../sign/bearer-credential.ts'
import type { Credential } from '../sign/credential.ts'
import { SharedKeyCredential } from '../sign/shared-key-credential.ts'
import { parseConnectionString } from './connection-string.ts'

/** An account key: the name of the account, and the key in base64 as the portal shows it. */
export interface NamedKey {
  /** The name of the account. */
  readonly name: string
  /** One of the account's two keys. */
  readonly key: string
}

/**
 * A credential of Rowkey, or a plain form of one.
 *
 * | form | becomes |
 * |---|---|
 * | `new DefaultAzureCredential()`, any credential with `getToken` | {@link BearerCredential} |
 * | `{ name, key }`, `AzureNamedKeyCredential` | {@link SharedKeyCredential} |
 * | `{ sas }` | {@link SasCredential} |
 */
export type GivenCredential =
  | Credential
  | AccessTokenSource
  | NamedKey
  | {
      /** A shared access signature, with or without its leading question mark. */
      readonly sas: string
    }

/**
 * Makes a credential from one of its plain forms.
 *
 * @param given - a credential, or a plain form of one
 * @param runsOnServer - whether a key may be used in a build for workers
 * @throws InputError (`InvalidOptionValue`) for anything else, and as the credential's constructor does
 */
export function toCredential(given: GivenCredential, runsOnServer?: boolean): Credential {
  const { authorize, getToken, name, key, sas } = Object(given) as Partial<
    Credential & AccessTokenSource & NamedKey & { sas: string }
  >
  if (typeof authorize === 'function') return given as Credential
  if (typeof getToken === 'function') {
    return new BearerCredential({ credential: given as AccessTokenSource })
  }
  const isKey = typeof name === 'string' && typeof key === 'string'
  if (isKey && sas === undefined) {
    return new SharedKeyCredential({ account: name, key, runsOnServer })
  }
  if (typeof sas === 'string' && !isKey) return new SasCredential(sas)
  throw invalidOption(`credential must be ${CREDENTIALS}.`, 'credential')
}

const CREDENTIALS =
  'a credential of Rowkey, one with getToken such as DefaultAzureCredential, { name, key } or { sas }'

/** The address of a {@link TableService} as one connection string. */
export interface ConnectionStringAddress {
  /** A connection string, as {@link parseConnectionString} reads it. */
  readonly connectionString: string
  /** Absent: the connection string contains it. */
  readonly endpoint?: undefined
  /** Absent: the connection string contains it. */
  readonly credential?: undefined
  /**
   * The kind of service, when its host does not show it.
   *
   * @defaultValue `'cosmos'` for the hosts of Cosmos DB, otherwise `'storage'`
   */
  readonly flavour?: Flavour | undefined
}

/** The address of a {@link TableService} as an endpoint and a credential. */
export interface EndpointAddress {
  /** Absent: the endpoint and the credential replace it. */
  readonly connectionString?: undefined
  /** The URL of the account's table service, or an endpoint from {@link endpointOf}. */
  readonly endpoint: string | Endpoint
  /**
   * Proves the identity of the caller: a credential, `new DefaultAzureCredential()`, `{ name, key
   * }` or `{ sas }`.
   */
  readonly credential: GivenCredential
  /**
   * The kind of service, when its host does not show it.
   *
   * @defaultValue `'cosmos'` for the hosts of Cosmos DB, otherwise `'storage'`
   */
  readonly flavour?: Flavour | undefined
}

/** Where to send, and as whom. */
export interface ResolvedAddress {
  readonly endpoint: Endpoint
  readonly credential: Credential
}

/** What {@link resolveAddress} allows. */
export interface ResolveOptions {
  readonly allowInsecure?: boolean | undefined
  readonly runsOnServer?: boolean | undefined
}

/**
 * Reads where to send and as whom.
 *
 * @param address - a connection string, or an endpoint and a credential
 * @param options - whether plain http to another machine, and a key in a build for workers, are allowed
 * @throws an InputError when the address is incomplete or invalid, or plain http is not allowed
 */
export function resolveAddress(
  address: ConnectionStringAddress | EndpointAddress,
  { allowInsecure, runsOnServer }: ResolveOptions,
): ResolvedAddress {
  const { flavour } = address
  const { endpoint, credential } = read(address, runsOnServer)
  const resolved = flavour === undefined ? endpoint : Object.freeze({ ...endpoint, flavour })
  checkSecureEndpoint(resolved, allowInsecure === true)
  return { endpoint: resolved, credential }
}

function read(
  address: ConnectionStringAddress | EndpointAddress,
  runsOnServer: boolean | undefined,
): ResolvedAddress {
  const { connectionString, endpoint, credential: given, flavour } = address
  const isPair = endpoint !== undefined && given !== undefined
  if (isPair && connectionString === undefined) {
    const credential = toCredential(given, runsOnServer)
    if (typeof endpoint !== 'string') return { endpoint: checkEndpoint(endpoint), credential }
    const account = credential instanceof SharedKeyCredential ? credential.account : undefined
    return { endpoint: endpointOf(endpoint, { account, flavour }), credential }
  }
  if (connectionString !== undefined && endpoint === undefined && given === undefined) {
    return parseConnectionString(connectionString, { flavour, runsOnServer })
  }
  throw invalidOption(
    `An account needs either connectionString alone, or endpoint and credential, which is ${CREDENTIALS}.`,
    'credential',
  )
}

/** An object in place of a URL must have every part that {@link endpointOf} returns. */
function checkEndpoint(endpoint: Endpoint): Endpoint {
  const isWhole = typeof endpoint?.origin === 'string' && typeof endpoint.basePath === 'string'
  if (isWhole && isAccountName(endpoint.account)) {
    checkValue(endpoint.flavour, flavourRule, 'flavour', 'the endpoint of an account')
    return Object.freeze({ ...endpoint })
  }
  throw invalidOption(
    'endpoint of an account must be the text of a URL, or an endpoint from endpointOf.',
  )
}
