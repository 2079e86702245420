import { entityReconciliations } from '../reconcile/reconcile-entity.ts'
import { checkEntity } from '../request/check-entity.ts'
import type { EntityWrite, WriteResult } from '../request/entity-write.ts'
import { ECHO_HEADERS, QUIET_HEADERS } from '../request/headers.ts'
import type { Operation } from '../request/operation.ts'
import { entitySetPath, keyCheckOf } from '../request/path.ts'
import { checkKeys, readRawEntity } from '../response/read-entity.ts'

/**
 * Stores a new entity. It fails with an EntityAlreadyExistsError when an entity has the same keys.
 *
 * With `echo` the output contains the entity as it was stored.
 *
 * @see https://learn.microsoft.com/rest/api/storageservices/insert-entity
 */
export const insertEntity: Operation<EntityWrite, WriteResult> = {
  name: 'insertEntity',
  statuses: [201, 204],
  needsEntity: false,

  toRequest(write, endpoint) {
    const { table, key, body, echo } = write
    keyCheckOf(endpoint)(key)
    checkEntity(write, endpoint)
    return {
      method: 'POST',
      origin: endpoint.origin,
      path: entitySetPath(endpoint, table),
      query: '',
      headers: echo === true ? ECHO_HEADERS : QUIET_HEADERS,
      body,
    }
  },

  fromResponse(response, { key, echo }) {
    const { status, headers } = response
    const { etag } = headers
    if (echo !== true || status !== 201 || response.body === '') return { etag, status }
    const raw = readRawEntity('insertEntity', response, true)
    checkKeys('insertEntity', raw, { key, mayHaveApplied: true })
    return { etag, status, raw }
  },

  reconcile: entityReconciliations.insertEntity,
}
