import type { HttpRequest } from '@rowkey/rest'
import {
  isTablePermissions,
  parsePolicyTime,
  type SignedIdentifier,
} from '../access-policy/signed-identifier.ts'
import { Rejection } from '../rejection/rejection.ts'
import type { AccountGrant, TableGrant } from '../request/grant.ts'
import { parseQueryParameters, type QueryParameters } from '../request/query-parameters.ts'
import type { Service } from '../service/service.ts'
import { checkSasSource, sasKeyRange } from './sas-scope.ts'
import { accountStringToSign, FIRST_OF_ACCOUNTS, tableStringToSign } from './sas-string-to-sign.ts'

/** The first version with signatures on tables. */
const FIRST_OF_TABLES = '2012-02-12'

const VERSION = /^\d{4}-\d\d-\d\d$/
const SIGNATURE = /^[A-Za-z0-9+/]{43}=$/
const ACCOUNT_PERMISSIONS = /^(?!.*(.).*\1)[rwdylacuptfi]+$/
const SERVICES = /^[bqtf]+$/
const RESOURCE_TYPES = /^[sco]+$/

/** Whether a query holds a shared access signature. */
export function hasSas(query: string): boolean {
  return /(?:^|&)sig=/.test(query)
}

/**
 * What the shared access signature in a request's query allows: the signature first, then the terms
 * and the time, then where the request came from, then the service it is for.
 *
 * @param address - the client's IP address
 * @throws Rejection of the first of these that is not as it must be
 */
export async function verifySas(
  service: Service,
  request: HttpRequest,
  account: string,
  address: string,
): Promise<TableGrant | AccountGrant> {
  const token = parseQueryParameters(request.query)
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
  const text = isOfTable ? tableStringToSign(token, account) : accountStringToSign(token, account)
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

/** Stored policies belong to tables, so an account's signature can refer to none. */
function accountGrant(token: QueryParameters, { permissions }: SasPolicy): AccountGrant {
  const resourceTypes = token.get('srt') ?? ''
  const isWhole = SERVICES.test(token.get('ss') ?? '') && RESOURCE_TYPES.test(resourceTypes)
  if (!isWhole || !ACCOUNT_PERMISSIONS.test(permissions)) throw failed()
  return { kind: 'account', permissions, resourceTypes }
}

/** From when, until when, and for what a signature holds. Times are milliseconds since 1970, UTC. */
export interface SasPolicy {
  /** Refused before it; absent when nothing says when it begins. */
  readonly start: number | undefined
  /** Refused from then on. */
  readonly expiry: number
  /** Letters, as they were given; which there are is for the kind of signature to say. */
  readonly permissions: string
}

/**
 * What a token says, completed by the stored policy it refers to. Each term must be given in one of
 * the two places, and in one only; a start may be missing.
 *
 * @throws Rejection AuthenticationFailed
 */
export async function sasPolicyOf(
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
  if (text === undefined || text === '') return undefined
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
