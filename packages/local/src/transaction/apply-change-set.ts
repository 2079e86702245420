import { checkRowAllowed } from '../access/permissions.ts'
import { Rejection } from '../rejection/rejection.ts'
import type { ServiceRequest } from '../request/service-request.ts'
import type { ServiceResponse } from '../response/service-response.ts'
import type { Service } from '../service/service.ts'
import type { StoredTable } from '../store/table-store.ts'
import type { ChangeOperation, EntityChange } from './entity-change.ts'

/** Operations of one entity group transaction. */
const MAX_CHANGES = 100

/** Refuses more changes than one transaction may hold. */
export function checkChangeCount(count: number): void {
  if (count <= MAX_CHANGES) return
  throw new Rejection('InvalidInput', {
    text: `The batch request operation exceeds the maximum ${MAX_CHANGES} changes per change set.`,
  }).prefixed(MAX_CHANGES)
}

/** Decodes the changes; refuses what is not one, other tables or partitions, and one row twice. */
export function decodeChanges(
  calls: readonly ServiceRequest[],
  chooseChange: (call: ServiceRequest) => ChangeOperation | undefined,
): EntityChange[] {
  const rowKeys = new Set<string>()
  const changes: EntityChange[] = []
  calls.forEach((call, index) => {
    const change = decodeChange(call, chooseChange(call), index)
    changes.push(change)
    const isSameGroup =
      change.key.partitionKey === changes[0]?.key.partitionKey &&
      tableOf(call) === tableOf(calls[0])
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
 * Makes all the changes or, when one of them is refused, none.
 *
 * @returns the answers, in the order of the changes
 * @throws Rejection of the first change that is refused, with its index
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
  return changes.map((change, index) => change.answer(written[index], table.name))
}

function decodeChange(
  call: ServiceRequest,
  operation: ChangeOperation | undefined,
  index: number,
): EntityChange {
  return rejectionsAt(index, true, () => {
    if (operation === undefined) {
      throw new Rejection('InvalidInput', {
        text: 'A change set holds nothing but entity writes.',
      })
    }
    const change = operation(call)
    checkRowAllowed(call.grant, change.key)
    return change
  })
}

/**
 * Says of every refusal which change it is about. The service puts the index before the text,
 * except when the state of the row refused the only change there was.
 */
function rejectionsAt<Result>(index: number, isPrefixed: boolean, act: () => Result): Result {
  try {
    return act()
  } catch (error) {
    if (!(error instanceof Rejection)) throw error
    throw (isPrefixed ? error.prefixed(index) : error).but({ index })
  }
}

function tableOf(call: ServiceRequest | undefined): string | undefined {
  return call !== undefined && 'table' in call.resource
    ? call.resource.table.toLowerCase()
    : undefined
}
