import type { Endpoint } from '../endpoint/endpoint.ts'
import type { HttpResponse } from '../http/transport.ts'

/** What to do about a rejection that the clock of this machine cannot cause, by the code of the service. */
const ADVICE: ReadonlyMap<string, string> = new Map([
  ['AccountIsDisabled', 'Enable the account, or check its subscription.'],
  [
    'AuthorizationPermissionMismatch',
    "The credential lacks a permission. Use a SAS with it ('r' to read, 'a' to add, 'u' to update, 'd' to delete), or give the identity a role such as Storage Table Data Contributor.",
  ],
  [
    'AuthorizationProtocolMismatch',
    "The SAS does not permit plain http. Use an https endpoint, or a SAS with the protocol 'https,http'.",
  ],
  [
    'AuthorizationResourceTypeMismatch',
    "The account SAS lacks a resource type. Entities need 'o', tables 'c', and the settings of the account 's'.",
  ],
  [
    'AuthorizationServiceMismatch',
    "The account SAS is for other services. Use one whose services include tables: 't'.",
  ],
  [
    'AuthorizationSourceIPMismatch',
    'The SAS does not permit the IP address of this machine, or of its proxy. Use a SAS whose range includes it.',
  ],
  [
    'InsufficientAccountPermissions',
    'The secondary location only reads: send writes to the primary endpoint.',
  ],
])

/** What to check after any other code: the service uses the same ones for keys, SAS and tokens. */
const CHECKS =
  'The key may be wrong or rotated, the SAS changed or expired, the token may be expired or for another tenant or resource, the clock of this machine wrong, or the permission missing.'

/** Below the 15 minutes that the service accepts, and above the latency of any response. */
const NOTABLE_SKEW = 5 * 60 * 1000

/** The request whose credential the service rejected. */
export interface RejectedRequest {
  readonly endpoint: Endpoint
  /** Returns milliseconds since 1970, UTC, on this machine. */
  readonly now: () => number
}

/**
 * Says what to do when the service rejects the credential.
 *
 * @param code - the code of the service
 * @param response - the response, whose date shows the clock of the service
 * @param rejected - the request
 */
export function authenticationAdvice(
  code: string,
  response: HttpResponse,
  { endpoint, now }: RejectedRequest,
): string {
  const advice = ADVICE.get(code) ?? clockAdvice(response, now()) ?? CHECKS
  return `. The account is '${endpoint.account}'. ${advice}`
}

function clockAdvice({ headers }: HttpResponse, now: number): string | undefined {
  const skew = Date.parse(headers.date ?? '') - now
  const distance = Math.abs(skew)
  if (!(distance > NOTABLE_SKEW)) return undefined
  const direction = skew > 0 ? 'behind' : 'ahead of'
  return `The clock of this machine is ${Math.round(distance / 60_000)} minutes ${direction} the service's clock; the service accepts 15. Set the clock.`
}
