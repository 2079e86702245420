import type { HttpRequest } from '@rowkey/rest'
import { parseQueryParameters, type QueryParameters } from '../call/query-parameters.ts'
import { ServiceFault } from '../fault/service-fault.ts'
import type { Service } from '../service/service.ts'
import { checkSasSource } from './check-sas-source.ts'
import type { AccountGrant, TableGrant } from './grant.ts'
import { matchesSignature } from './matches-signature.ts'
import { sasKeyRange } from './sas-key-range.ts'
import { accountStringToSign, FIRST_OF_ACCOUNTS, tableStringToSign } from './sas-string-to-sign.ts'
import { type SasTerms, sasTermsOf } from './sas-terms.ts'
import { isTablePermissions } from './table-permissions.ts'

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
 * @throws ServiceFault of the first of these that is not as it must be
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
  const terms = await sasTermsOf(service, account, token)
  checkTime(terms, service.clock.now())
  const grant = isOfTable ? tableGrant(token, terms) : accountGrant(token, terms)
  checkSasSource(token, { origin: request.origin, address })
  if (!isOfTable && !token.get('ss')?.includes('t')) {
    throw new ServiceFault('AuthorizationServiceMismatch')
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
  if (!matchesSignature(key, text, signature)) throw failed()
}

function checkTime({ start, expiry }: SasTerms, now: number): void {
  if (now >= expiry || (start !== undefined && now < start)) throw failed()
}

function tableGrant(token: QueryParameters, { permissions }: SasTerms): TableGrant {
  if (!isTablePermissions(permissions)) throw failed()
  const table = (token.get('tn') ?? '').toLowerCase()
  return { kind: 'table', table, permissions, range: sasKeyRange(token) }
}

/** Stored policies belong to tables, so an account's signature can refer to none. */
function accountGrant(token: QueryParameters, { permissions }: SasTerms): AccountGrant {
  const resourceTypes = token.get('srt') ?? ''
  const isWhole = SERVICES.test(token.get('ss') ?? '') && RESOURCE_TYPES.test(resourceTypes)
  if (!isWhole || !ACCOUNT_PERMISSIONS.test(permissions)) throw failed()
  return { kind: 'account', permissions, resourceTypes }
}

function failed(): ServiceFault {
  return new ServiceFault('AuthenticationFailed')
}
