import type { Endpoint } from '../endpoint.ts'
import { type HttpRequest, isRead } from '../http/http-request.ts'
import { READ_HEADERS } from '../http/table-headers.ts'
import { CHANGE_SET_TYPE, encodeChangeSet } from './encode-change-set.ts'

/** The request that holds others: the changes of a transaction, or one that stands alone. */
export function batchRequest(requests: readonly HttpRequest[], endpoint: Endpoint): HttpRequest {
  return {
    method: 'POST',
    origin: endpoint.origin,
    path: `${endpoint.basePath}/$batch`,
    query: '',
    headers: { ...READ_HEADERS, 'content-type': CHANGE_SET_TYPE },
    body: encodeChangeSet(requests, endpoint),
    ...(requests.every(isRead) && { readsOnly: true }),
  }
}
