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
  if (resource.endsWith(')') && !resource.endsWith('()')) return resource
  return insertedEntity(request, resource) ?? `table ${resource.replace('()', '')}`
}

/** An insert has the keys in its body. */
function insertedEntity({ method, body }: HttpRequest, table: string): string | undefined {
  if (method !== 'POST' || body === undefined) return undefined
  const { PartitionKey, RowKey } = entityIn(body)
  if (typeof PartitionKey !== 'string' || typeof RowKey !== 'string') return undefined
  return `${table}(PartitionKey='${quoted(PartitionKey)}',RowKey='${quoted(RowKey)}')`
}

function entityIn(body: string): { readonly PartitionKey?: unknown; readonly RowKey?: unknown } {
  try {
    return Object(JSON.parse(body))
  } catch {
    return {}
  }
}

function quoted(key: string): string {
  return key.replaceAll("'", "''")
}

/** In path style the two locations have different paths; in host style both are empty. */
function baseLength({ path }: HttpRequest, { basePath, secondary }: Endpoint): number {
  const isSecondary = secondary !== undefined && path.startsWith(`${secondary.basePath}/`)
  return (isSecondary ? secondary : { basePath }).basePath.length
}
