import { checkEntity } from '../checks/check-entity.ts'
import { checkKeys } from '../entity/check-keys.ts'
import { entitySetPath } from '../entity/entity-set-path.ts'
import type { EntityWrite, WriteResult } from '../entity/entity-write.ts'
import { keyCheckOf } from '../entity/key-check-of.ts'
import { readRawEntity } from '../entity/read-raw-entity.ts'
import { ECHO_HEADERS, QUIET_HEADERS } from '../http/table-headers.ts'
import type { Operation } from '../operation.ts'
import { entityReconciliation } from '../truth/entity-reconciliation.ts'
import { judgeReplacement } from '../truth/judge-entity.ts'
import { settleInsert } from '../truth/settle-insert.ts'

/**
 * Stores a new entity. An entity with the same keys is an EntityAlreadyExistsError.
 *
 * With `echo` the answer holds the entity as it was stored.
 *
 * @see https://learn.microsoft.com/rest/api/storageservices/insert-entity
 */
export const insertEntity: Operation<EntityWrite, WriteResult> = {
  name: 'insertEntity',
  statuses: [201, 204],

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
    const { etag } = response.headers
    if (echo !== true || response.status !== 201 || response.body === '') return { etag }
    const raw = readRawEntity('insertEntity', response, true)
    checkKeys('insertEntity', raw, { key, mayHaveApplied: true })
    return { etag, raw }
  },

  reconcile: entityReconciliation(judgeReplacement, settleInsert),
}
