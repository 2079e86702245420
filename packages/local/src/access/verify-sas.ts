import {
  type HttpRequest,
  type Ipv4Range,
  parseIpv4,
  parseIpv4Range,
  sasStringToSign,
} from '@rowkey/rest'
import {
  isTablePermissions,
  parsePolicyTime,
  type SignedIdentifier,
} from '../access-policy/signed-identifier.ts'
import { type KeyRange, rangeBetween } from '../keys/key-range.ts'
import { Rejection } from '../rejection/rejection.ts'
import { parseQueryParameters, type QueryParameters } from '../request/query-parameters.ts'
import type { AccountGrant, TableGrant } from '../request/service-request.ts'
import type { Service } from '../service/service.ts'

/**
 * The first version with account signatures, and with addresses and protocols in table signatures.
 */
const FIRST_OF_ACCOUNTS = '2015-04-05'

/** How a request reached the service. */
interface RequestSource {
  /** Scheme, host and port. */
  readonly origin: string
  /** The client's IP address. */
  readonly address: string
}

/**
 * Rejects a token that came by a protocol or from an address that it does not allow. Tokens of old
 * versions have neither field, and allow all.
 *
 * @throws Rejection AuthorizationProtocolMismatch, AuthorizationSourceIPMismatch, or
 * AuthenticationFailed for a malformed field
 */
export function checkSasSource(token: QueryParameters, source: RequestSource): void {
  if ((token.get('sv') ?? '') < FIRST_OF_ACCOUNTS) return
  const protocol = token.get('spr') ?? 'https,http'
  if (protocol !== 'https' && protocol !== 'https,http') {
    throw new Rejection('AuthenticationFailed')
  }
  if (protocol === 'https' && !source.origin.startsWith('https:')) {
    throw new Rejection('AuthorizationProtocolMismatch')
  }
  checkAddress(token.get('sip'), source.address)
}

function checkAddress(allowed: string | undefined, address: string): void {
  if (allowed === undefined) return
  const range = parseIpv4Range(allowed)
  if (range === undefined) throw new Rejection('AuthenticationFailed')
  if (isWithin(range, address)) return
  throw new Rejection('AuthorizationSourceIPMismatch', {
    text: `This request is not authorized to perform this operation using this source IP ${address}.`,
  })
}

/** Tells whether an address is in the range; an IPv6 address never is. */
function isWithin({ low, high }: Ipv4Range, address: string): boolean {
  const number = parseIpv4(address)
  return number !== undefined && low <= number && number <= high
}

/**
 * Returns the rows that a table's SAS covers: from `spk` and `srk` to `epk` and `erk`, inclusive.
 *
 * @throws Rejection AuthenticationFailed for a RowKey without its PartitionKey
 */
export function sasKeyRange(token: QueryParameters): KeyRange {
  const first = { partitionKey: token.get('spk'), rowKey: token.get('srk') }
  const last = { partitionKey: token.get('epk'), rowKey: token.get('erk') }
  for (const { partitionKey, rowKey } of [first, last]) {
    if (partitionKey === undefined && rowKey !== undefined) {
      throw new Rejection('AuthenticationFailed')
    }
  }
  return rangeBetween(first, last)
}

/** The first version with table signatures. */
const FIRST_OF_TABLES = '2012-02-12'

const VERSION = /^\d{4}-\d\d-\d\d$/
const SIGNATURE = /^[A-Za-z0-9+/]{43}=$/
const ACCOUNT_PERMISSIONS = /^(?!.*(.).*\1)[rwdylacuptfi]+$/
const SERVICES = /^[bqtf]+$/
const RESOURCE_TYPES = /^[sco]+$/

/** Tells whether a query contains a shared access signature. */
export function hasSas(query: string): boolean {
  return /(?:^|&)sig=/.test(query)
}

/**
 * Verifies the shared access signature in a query: the signature, then the policy and the time,
 * then the source of the request, then the service.
 *
 * @param address - the client's IP address
 * @throws Rejection for the first of these that is invalid
 */
export async function verifySas(
  service: Service,
  request: HttpRequest,
  account: string,
  address: string,
): Promise<TableGrant | AccountGrant> {
  const token = withoutEmptyFields(parseToken(request.query))
  const isOfTable = token.has('tn')
  checkSignature(service, token, account, isOfTable)
  const terms = await sasPolicyOf(service, account, token)
  checkTime(terms, service.clock.now())
  const grant = isOfTable ? tableGrant(token, terms) : accountGrant(token, terms)
  checkSasSource(token, { origin: request.origin, address })
  if (!isOfTable && !token.get('ss')?.includes('t')) {
    throw new Rejection('AuthorizationServiceMismatch')
  }
  return grant
}

const FIELD = /^(?:ses|sig|sip|spr|srk|srt|ss|st|sv|s[eip]|[es]pk|erk|tn)=/

/**
 * Returns the fields of a signature. A field that is there twice cannot have been signed.
 *
 * @throws Rejection AuthenticationFailed
 */
function parseToken(query: string): QueryParameters {
  const fields = query.split('&').filter((pair) => FIELD.test(pair))
  try {
    return parseQueryParameters(fields.join('&'))
  } catch {
    throw failed()
  }
}

const MAY_BE_EMPTY = ['sp', 'st', 'se', 'si', 'sip', 'spr']

/** Removes empty fields: a signature is the same for an empty field and an absent one. */
function withoutEmptyFields(token: QueryParameters): QueryParameters {
  return new Map([...token].filter(([name, text]) => text !== '' || !MAY_BE_EMPTY.includes(name)))
}

function checkSignature(
  service: Service,
  token: QueryParameters,
  account: string,
  isOfTable: boolean,
): void {
  const version = token.get('sv') ?? ''
  const signature = token.get('sig') ?? ''
  const key = service.accounts.get(account)
  const isKnown =
    VERSION.test(version) && version >= (isOfTable ? FIRST_OF_TABLES : FIRST_OF_ACCOUNTS)
  if (!isKnown || !SIGNATURE.test(signature) || key === undefined) throw failed()
  const text = sasStringToSign(Object.fromEntries(token), account)
  if (!key.matches(text, signature)) throw failed()
}

function checkTime({ start, expiry }: SasPolicy, now: number): void {
  if (now >= expiry || (start !== undefined && now < start)) throw failed()
}

function tableGrant(token: QueryParameters, { permissions }: SasPolicy): TableGrant {
  if (!isTablePermissions(permissions)) throw failed()
  const table = (token.get('tn') ?? '').toLowerCase()
  return { kind: 'table', table, permissions, range: sasKeyRange(token) }
}

/** Stored policies belong to tables, so the signature of an account cannot use one. */
function accountGrant(token: QueryParameters, { permissions }: SasPolicy): AccountGrant {
  const resourceTypes = token.get('srt') ?? ''
  const isWhole = SERVICES.test(token.get('ss') ?? '') && RESOURCE_TYPES.test(resourceTypes)
  if (!isWhole || !ACCOUNT_PERMISSIONS.test(permissions)) throw failed()
  return { kind: 'account', permissions, resourceTypes }
}

/** When and for what a signature is valid. Times are milliseconds since 1970, UTC. */
interface SasPolicy {
  /** Rejected before this time; absent when the signature has no start. */
  readonly start: number | undefined
  /** Rejected from this time on. */
  readonly expiry: number
  /** The letters as written. Which are valid depends on the kind of signature. */
  readonly permissions: string
}

/**
 * Reads the policy of a token, completed by the stored policy it names. Each field must be in one
 * of the two, and only in one. The start is optional.
 *
 * @throws Rejection AuthenticationFailed
 */
async function sasPolicyOf(
  service: Service,
  account: string,
  token: QueryParameters,
): Promise<SasPolicy> {
  const policy = await policyOf(service, account, token)
  const permissions = only(token.get('sp'), policy?.permissions)
  const start = only(timeOf(token, 'st'), policy?.start?.getTime())
  const expiry = only(timeOf(token, 'se'), policy?.expiry?.getTime())
  if (permissions === undefined || expiry === undefined) throw failed()
  return { permissions, start, expiry }
}

async function policyOf(
  service: Service,
  account: string,
  token: QueryParameters,
): Promise<SignedIdentifier | undefined> {
  const id = token.get('si')
  if (id === undefined) return undefined
  const table = await service.store.findTable(account, token.get('tn') ?? '')
  const policies = (await table?.policies()) ?? []
  const policy = policies.find((one) => one.id === id)
  if (policy === undefined) throw failed()
  return policy
}

function timeOf(token: QueryParameters, name: 'st' | 'se'): number | undefined {
  const text = token.get(name)
  if (text === undefined) return undefined
  const time = parsePolicyTime(text)
  if (time === undefined) throw failed()
  return time.getTime()
}

function only<Term>(given: Term | undefined, stored: Term | undefined): Term | undefined {
  if (given !== undefined && stored !== undefined) throw failed()
  return given ?? stored
}

function failed(): Rejection {
  return new Rejection('AuthenticationFailed')
}
