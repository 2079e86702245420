import type { Endpoint } from '../endpoint.ts'
import type { HttpRequest } from '../http/http-request.ts'
import type { Answered } from './answered.ts'

const TABLE_NAME_BODY = /^\{"TableName":"(\w+)"\}$/
const TABLE_ADDRESS = /^Tables\('(\w+)'\)$/

/**
 * What a request was about, in words: `table people`, `people(PartitionKey='Smith',RowKey='Jeff')`,
 * or `the account contoso`.
 *
 * @param answered - the request and where it went
 */
export function resourceOf({ request, endpoint }: Pick<Answered, 'request' | 'endpoint'>): string {
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
