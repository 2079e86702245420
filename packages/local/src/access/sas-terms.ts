import type { QueryParameters } from '../call/query-parameters.ts'
import { ServiceFault } from '../fault/service-fault.ts'
import type { Service } from '../service/service.ts'
import { parsePolicyTime } from './policy-time.ts'
import type { SignedIdentifier } from './signed-identifier.ts'

/** From when, until when, and for what a signature holds. Times are milliseconds since 1970, UTC. */
export interface SasTerms {
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
 * @throws ServiceFault AuthenticationFailed
 */
export async function sasTermsOf(
  service: Service,
  account: string,
  token: QueryParameters,
): Promise<SasTerms> {
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

function failed(): ServiceFault {
  return new ServiceFault('AuthenticationFailed')
}
