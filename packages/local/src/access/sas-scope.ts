import { type Ipv4Range, parseIpv4, parseIpv4Range } from '@rowkey/rest'
import { type KeyRange, rangeBetween } from '../keys/key-range.ts'
import { Rejection } from '../rejection/rejection.ts'
import type { QueryParameters } from '../request/query-parameters.ts'
import { FIRST_OF_ACCOUNTS } from './sas-string-to-sign.ts'

/** How a request reached the service. */
export interface RequestSource {
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
