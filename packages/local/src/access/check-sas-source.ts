import type { QueryParameters } from '../call/query-parameters.ts'
import { ServiceFault } from '../fault/service-fault.ts'
import { isWithin, parseAddressRange } from './address-range.ts'
import { FIRST_OF_ACCOUNTS } from './sas-string-to-sign.ts'

/** How a request reached the service. */
export interface RequestSource {
  /** Scheme, host and port. */
  readonly origin: string
  /** The client's IP address. */
  readonly address: string
}

/**
 * Refuses a token that came by a protocol or from an address that it does not allow. Tokens of old
 * versions allow all: they know neither field.
 *
 * @throws ServiceFault AuthorizationProtocolMismatch, AuthorizationSourceIPMismatch, or
 * AuthenticationFailed when a field is malformed
 */
export function checkSasSource(token: QueryParameters, source: RequestSource): void {
  if ((token.get('sv') ?? '') < FIRST_OF_ACCOUNTS) return
  const protocol = token.get('spr') ?? 'https,http'
  if (protocol !== 'https' && protocol !== 'https,http') {
    throw new ServiceFault('AuthenticationFailed')
  }
  if (protocol === 'https' && !source.origin.startsWith('https:')) {
    throw new ServiceFault('AuthorizationProtocolMismatch')
  }
  checkAddress(token.get('sip'), source.address)
}

function checkAddress(allowed: string | undefined, address: string): void {
  if (allowed === undefined) return
  const range = parseAddressRange(allowed)
  if (range === undefined) throw new ServiceFault('AuthenticationFailed')
  if (isWithin(range, address)) return
  throw new ServiceFault('AuthorizationSourceIPMismatch', {
    text: `This request is not authorized to perform this operation using this source IP ${address}.`,
  })
}
