import { checkRowAllowed } from '../access/allowed-rows.ts'
import type { Answer } from '../answer/answer.ts'
import type { ServiceCall } from '../call/service-call.ts'
import { ServiceFault } from '../fault/service-fault.ts'
import type { Service } from '../service/service.ts'
import type { StoredTable } from '../store/table-store.ts'
import type { ChangeOperation, EntityChange } from './entity-change.ts'

/** Operations of one entity group transaction. */
const MAX_CHANGES = 100

/** Refuses more changes than one transaction may hold. */
export function checkChangeCount(count: number): void {
  if (count <= MAX_CHANGES) return
  throw new ServiceFault('InvalidInput', {
    text: `The batch request operation exceeds the maximum ${MAX_CHANGES} changes per change set.`,
  }).prefixed(MAX_CHANGES)
}

/** Decodes the changes; refuses what is not one, other tables or partitions, and one row twice. */
export function decodeChanges(
  calls: readonly ServiceCall[],
  chooseChange: (call: ServiceCall) => ChangeOperation | undefined,
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
      throw new ServiceFault('CommandsInBatchActOnDifferentPartitions').prefixed(index)
    }
    if (rowKeys.has(change.key.rowKey)) {
      throw new ServiceFault('InvalidDuplicateRow').prefixed(index)
    }
    rowKeys.add(change.key.rowKey)
  })
  return changes
}

/**
 * Makes all the changes or, when one of them is refused, none.
 *
 * @returns the answers, in the order of the changes
 * @throws ServiceFault of the first change that is refused, with its index
 */
export async function applyChanges(
  service: Service,
  table: StoredTable,
  changes: readonly EntityChange[],
): Promise<Answer[]> {
  const keys = changes.map((change) => change.key)
  const stamp = () => service.clock.stamp()
  const written = await table.change(keys, (rows) =>
    changes.map((change, index) =>
      faultsAt(index, changes.length > 1, () => change.apply(rows[index], stamp)),
    ),
  )
  return changes.map((change, index) => change.answer(written[index], table.name))
}

function decodeChange(
  call: ServiceCall,
  operation: ChangeOperation | undefined,
  index: number,
): EntityChange {
  return faultsAt(index, true, () => {
    if (operation === undefined) {
      throw new ServiceFault('InvalidInput', {
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
function faultsAt<Result>(index: number, isPrefixed: boolean, act: () => Result): Result {
  try {
    return act()
  } catch (error) {
    if (!(error instanceof ServiceFault)) throw error
    throw (isPrefixed ? error.prefixed(index) : error).but({ index })
  }
}

function tableOf(call: ServiceCall | undefined): string | undefined {
  return call !== undefined && 'table' in call.resource
    ? call.resource.table.toLowerCase()
    : undefined
}
