import type { Endpoint } from '../endpoint/endpoint.ts'
import type { HttpRequest } from '../http/transport.ts'

/** A request to an account. */
interface AddressedRequest {
  readonly request: HttpRequest
  readonly endpoint: Endpoint
}

const TABLE_NAME_BODY = /^\{"TableName":"([^"\\]+)"\}$/
const TABLE_ADDRESS = /^Tables\('(.+)'\)$/

/**
 * Names what a request is about: `table people`, `people(PartitionKey='Smith',RowKey='Jeff')`, or
 * `account contoso`.
 *
 * @param addressed - the request and its account
 */
export function resourceOf({ request, endpoint }: AddressedRequest): string {
  const created = TABLE_NAME_BODY.exec(request.body ?? '')?.[1]
  if (created !== undefined) return `table ${created}`
  const resource = request.path.slice(baseLength(request, endpoint) + 1)
  if (['', 'Tables', '$batch'].includes(resource)) return `account ${endpoint.account}`
  // The name of a table has its own parentheses escaped.
  const addressed = TABLE_ADDRESS.exec(resource)?.[1]
  if (addressed === undefined && resource.endsWith("')")) return decodeURIComponent(resource)
  const table = decodeURIComponent(addressed ?? resource.replace('()', '')).replaceAll("''", "'")
  return insertedEntity(request, table) ?? `table ${table}`
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
