import type { Endpoint } from '../endpoint.ts'
import { InsecureEndpointError } from '../errors/insecure-endpoint-error.ts'

const LOOPBACK_HOST =
  /^http:\/\/(?:localhost|[^/:]+\.localhost|127(?:\.\d{1,3}){3}|\[::1\])(?::\d+)?$/

/**
 * Refuses plain http to another machine: everything in the tables, and a SAS too, could be read on
 * the way.
 *
 * @param endpoint - where requests will go
 * @param allowInsecure - true when the caller asked for it
 * @throws {@link InsecureEndpointError}
 */
export function checkSecureEndpoint(endpoint: Endpoint, allowInsecure: boolean): void {
  for (const { origin } of [endpoint, endpoint.secondary ?? endpoint]) {
    if (!allowInsecure) checkOrigin(origin)
  }
}

function checkOrigin(origin: string): void {
  if (origin.startsWith('https://') || LOOPBACK_HOST.test(origin)) return
  throw new InsecureEndpointError({
    message: `${origin} is plain http and not this machine: everything sent could be read on the way. Use https, or pass allowInsecure: true.`,
  })
}
