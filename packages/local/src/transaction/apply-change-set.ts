import type { DateTimeValue, EntityKey } from '@rowkey/odata'
import { checkRowAllowed } from '../access/permissions.ts'
import type { StoredEntity } from '../entity/stored-entity.ts'
import { Rejection } from '../rejection/rejection.ts'
import type { ServiceRequest } from '../request/service-request.ts'
import type { ServiceResponse } from '../response/service-response.ts'
import type { Service } from '../service/service.ts'
import { foldedName, type StoredTable } from '../store/table-store.ts'

/** A decoded write: its row, the row's next version, and the response. */
export interface EntityChange {
  /** The key of the row. */
  readonly key: EntityKey
  /**
   * Returns the next version of the row; `undefined` when the write deletes it.
   *
   * @param current - the row as it is; `undefined` when it does not exist
   * @param stamp - makes the time of the new version
   * @throws Rejection when the state of the row does not allow the write
   */
  apply(current: StoredEntity | undefined, stamp: () => DateTimeValue): StoredEntity | undefined
  /**
   * Responds to a write that was applied.
   *
   * @param written - the result of {@link EntityChange.apply}
   * @param table - the table's name as it was created
   */
  respond(written: StoredEntity | undefined, table: string): ServiceResponse
}

/** Decodes one kind of write. */
export type ChangeOperation = (request: ServiceRequest) => EntityChange

/** Responds to a write without a body: with the new ETag, or without one after a delete. */
export function writtenResponse(written: StoredEntity | undefined): ServiceResponse {
  return { status: 204, headers: written === undefined ? {} : { etag: written.etag }, body: '' }
}

/** The most operations in one entity group transaction. */
const MAX_CHANGES = 100
/** The index in the rejection of too many. */
const LAST_INDEX = MAX_CHANGES - 1

/**
 * Rejects too many changes.
 *
 * @throws Rejection InvalidInput
 */
export function checkChangeCount(count: number): void {
  if (count <= MAX_CHANGES) return
  throw new Rejection('InvalidInput', {
    text: `The batch request operation exceeds the maximum ${MAX_CHANGES} changes per change set.`,
  }).prefixed(LAST_INDEX)
}

/**
 * Decodes the changes of a change set.
 *
 * @throws Rejection for anything but a change, another table or partition, and the same row twice
 */
export function decodeChanges(
  requests: readonly ServiceRequest[],
  chooseChange: (request: ServiceRequest) => ChangeOperation | undefined,
): EntityChange[] {
  const rowKeys = new Set<string>()
  const changes: EntityChange[] = []
  requests.forEach((request, index) => {
    const change = decodeChange(request, chooseChange(request), index)
    changes.push(change)
    const isSameGroup =
      change.key.partitionKey === changes[0]?.key.partitionKey &&
      tableOf(request) === tableOf(requests[0])
    if (!isSameGroup) {
      throw new Rejection('CommandsInBatchActOnDifferentPartitions').prefixed(index)
    }
    if (rowKeys.has(change.key.rowKey)) {
      throw new Rejection('InvalidDuplicateRow').prefixed(index)
    }
    rowKeys.add(change.key.rowKey)
  })
  return changes
}

/**
 * Applies all changes. When one of them is rejected, applies no change.
 *
 * @returns the responses in the order of the changes
 * @throws Rejection of the first change that fails, with its index
 */
export async function applyChanges(
  service: Service,
  table: StoredTable,
  changes: readonly EntityChange[],
): Promise<ServiceResponse[]> {
  const keys = changes.map((change) => change.key)
  const stamp = () => service.clock.stamp()
  const written = await table.change(keys, (rows) =>
    changes.map((change, index) =>
      rejectionsAt(index, changes.length > 1, () => change.apply(rows[index], stamp)),
    ),
  )
  return changes.map((change, index) => change.respond(written[index], table.name))
}

function decodeChange(
  request: ServiceRequest,
  operation: ChangeOperation | undefined,
  index: number,
): EntityChange {
  return rejectionsAt(index, true, () => {
    if (operation === undefined) {
      throw new Rejection('InvalidInput', {
        text: 'A change set holds nothing but entity writes.',
      })
    }
    const change = operation(request)
    checkRowAllowed(request.grant, change.key)
    return change
  })
}

/**
 * Adds the index of its change to a rejection. The service puts the index before the text, unless
 * the state of the row rejects the only change.
 */
function rejectionsAt<Result>(index: number, isPrefixed: boolean, act: () => Result): Result {
  try {
    return act()
  } catch (error) {
    if (!(error instanceof Rejection)) throw error
    throw (isPrefixed ? error.prefixed(index) : error).but({ index })
  }
}

function tableOf(request: ServiceRequest | undefined): string | undefined {
  return request !== undefined && 'table' in request.resource
    ? foldedName(request.resource.table, request.flavour)
    : undefined
}
