import type { Endpoint } from '../endpoint/endpoint.ts'
import type { HttpRequest } from '../http/transport.ts'

/** A request to an account. */
interface AddressedRequest {
  readonly request: HttpRequest
  readonly endpoint: Endpoint
}

const TABLE_NAME_BODY = /^\{"TableName":"([^"\\]+)"\}$/
const TABLE_ADDRESS = /^Tables\('(.+)'\)$/s

/**
 * Names what a request is about: `table people`, `people(PartitionKey='Smith',RowKey='Jeff')`, or
 * `account contoso`.
 *
 * @param addressed - the request and its account
 */
export function resourceOf({ request, endpoint }: AddressedRequest): string {
  const resource = decodeURIComponent(request.path.slice(baseLength(request, endpoint) + 1))
  const table = TABLE_ADDRESS.exec(resource) ?? TABLE_NAME_BODY.exec(request.body ?? '')
  if (table !== null) return `table ${table[1]}`
  if (resource === '' || resource === 'Tables' || resource === '$batch')
    return `account ${endpoint.account}`
  return resource.endsWith(')') && !resource.endsWith('()')
    ? resource
    : `table ${resource.replace('()', '')}`
}

/** In path style the two locations have different paths; in host style both are empty. */
function baseLength({ path }: HttpRequest, { basePath, secondary }: Endpoint): number {
  const isSecondary = secondary !== undefined && path.startsWith(`${secondary.basePath}/`)
  return (isSecondary ? secondary : { basePath }).basePath.length
}
