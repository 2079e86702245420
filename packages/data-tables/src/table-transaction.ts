import { checkValue, describeKind, type InputError } from '@rowkey/odata'
import {
  type Change,
  deleteEntity,
  insertEntity,
  insertOrMergeEntity,
  insertOrReplaceEntity,
  mergeEntity,
  updateEntity,
} from '@rowkey/rest'
import type { OperationOptions } from './account/operation-options.ts'
import type { TableEntity } from './entity/table-entity.ts'
import { keyOf, writeEntity } from './entity/write-entity.ts'
import { aText, checkArray, checkRecord, invalidArgument } from './errors/check-arguments.ts'

/** Whether an update keeps the properties that it does not name. */
export type UpdateMode = 'Merge' | 'Replace'

/** The options of a delete. */
export type DeleteTableEntityOptions = OperationOptions & {
  /** The version that must be stored; any version when absent or `*`. */
  etag?: string
}

/** The options of an update. */
export type UpdateTableEntityOptions = OperationOptions & {
  /** The version that must be stored; any version when absent or `*`: the last writer wins. */
  etag?: string
}

/** An insert or a delete of a transaction. */
export type CreateDeleteEntityAction = ['create' | 'delete', TableEntity]

/** An update or an upsert of a transaction. */
export type UpdateEntityAction =
  | ['update' | 'upsert', TableEntity]
  | ['update' | 'upsert', TableEntity, 'Merge' | 'Replace']
  | ['update' | 'upsert', TableEntity, 'Merge' | 'Replace', UpdateTableEntityOptions | undefined]

/** One change of a transaction. */
export type TransactionAction = CreateDeleteEntityAction | UpdateEntityAction

/** The kind, the entity, the mode and the options of any {@link TransactionAction}. */
export type ActionParts = readonly [
  kind: TransactionAction[0],
  entity: object,
  mode?: UpdateMode | undefined,
  options?: UpdateTableEntityOptions | undefined,
]

/**
 * Collects the changes of one transaction, for `submitTransaction(transaction.actions)`.
 *
 * @example
 * ```ts
 * const transaction = new TableTransaction()
 * transaction.createEntity({ partitionKey: 'Smith', rowKey: 'Ann' })
 * transaction.deleteEntity('Smith', 'Jeff')
 * await client.submitTransaction(transaction.actions)
 * ```
 */
export class TableTransaction {
  /** The changes so far. */
  actions: TransactionAction[]

  /**
   * @param actions - the first changes; the transaction adds to this array
   * @throws InputError when they are not an array
   */
  constructor(actions: TransactionAction[] = []) {
    checkArray(actions, 'The actions of a TableTransaction')
    this.actions = actions
  }

  /** Adds an insert. */
  createEntity<T extends object = Record<string, unknown>>(entity: TableEntity<T>): void {
    this.actions.push(['create', entity as TableEntity])
  }

  /** Adds a delete, of any version. */
  deleteEntity(partitionKey: string, rowKey: string): void {
    this.actions.push(['delete', { partitionKey, rowKey }])
  }

  /** Adds a merge. */
  updateEntity<T extends object = Record<string, unknown>>(
    entity: TableEntity<T>,
    updateOptions?: UpdateTableEntityOptions,
  ): void
  /** Adds an update. */
  updateEntity<T extends object = Record<string, unknown>>(
    entity: TableEntity<T>,
    updateMode: UpdateMode,
    updateOptions?: UpdateTableEntityOptions,
  ): void
  updateEntity(
    entity: TableEntity<object>,
    modeOrOptions: UpdateMode | UpdateTableEntityOptions = 'Merge',
    updateOptions: UpdateTableEntityOptions = {},
  ): void {
    const [mode, options] =
      typeof modeOrOptions === 'string'
        ? [modeOrOptions, updateOptions]
        : (['Merge', modeOrOptions] as const)
    this.actions.push(['update', entity as TableEntity, mode, options])
  }

  /** Adds an upsert; the default mode is `'Merge'`. */
  upsertEntity<T extends object = Record<string, unknown>>(
    entity: TableEntity<T>,
    updateMode: UpdateMode = 'Merge',
  ): void {
    this.actions.push(['upsert', entity as TableEntity, updateMode])
  }
}

/** A misspelled `etag`, or its name on the wire: the update would overwrite any version. */
const LIKE_ETAG = /^(?:e[-_]?tags?|if[-_]?match)$/i

/**
 * Turns the actions of a transaction into changes of Rowkey.
 *
 * @param table - the table
 * @param actions - the actions
 * @throws InputError for actions that are not arrays, and as {@link toChange} does
 */
export function toChanges(table: string, actions: readonly ActionParts[]): Change[] {
  checkArray(actions, 'The actions of submitTransaction')
  const changes = actions.map((action, index) => {
    checkArray(action, `Action ${index} of submitTransaction`)
    return toChange(table, action)
  })
  const [first] = changes
  // Azurite would store the entities of several partitions.
  const other = changes.find(
    ({ input }) => input.key.partitionKey !== first?.input.key.partitionKey,
  )
  if (other === undefined) return changes
  throw invalidArgument('All operations in a transaction must target the same partitionKey.')
}

/**
 * Turns an action into a change of Rowkey.
 *
 * @param table - the table
 * @param action - the action
 * @throws InputError for an unknown action or mode, and for an entity that cannot be stored
 */
export function toChange(table: string, action: ActionParts): Change {
  const [kind, given, mode = 'Merge', condition] = action
  if (!KINDS.includes(kind)) throw unknown('action', kind, KINDS)
  if (!MODES.includes(mode)) throw unknown('mode', mode, MODES)
  if (kind === 'create') return { operation: insertEntity, input: { table, ...writeEntity(given) } }
  if (kind === 'upsert') {
    const operation = mode === 'Merge' ? insertOrMergeEntity : insertOrReplaceEntity
    return { operation, input: { table, ...writeEntity(given) } }
  }
  const options = condition ?? {}
  checkCondition(options, `the action '${kind}'`)
  const { etag = '*' } = options
  if (kind === 'delete') {
    return { operation: deleteEntity, input: { table, key: keyOf(given), body: '', etag } }
  }
  const operation = mode === 'Merge' ? mergeEntity : updateEntity
  return { operation, input: { table, ...writeEntity(given), etag } }
}

function checkCondition(options: UpdateTableEntityOptions, where: string): void {
  checkRecord(options, `The options of ${where}`)
  if (options.etag !== undefined) checkValue(options.etag, aText, 'etag', where)
  const name = Object.keys(options).find((one) => one !== 'etag' && LIKE_ETAG.test(one))
  if (name !== undefined) throw invalidArgument(`${where} has no option '${name}'. Use etag.`)
}

const KINDS: readonly unknown[] = ['create', 'update', 'upsert', 'delete']
const MODES: readonly unknown[] = ['Merge', 'Replace']

function unknown(what: string, value: unknown, known: readonly unknown[]): InputError {
  const shown = typeof value === 'string' ? JSON.stringify(value) : `that is ${describeKind(value)}`
  const names = known.map((name) => `'${name}'`).join(' or ')
  return invalidArgument(`The ${what} ${shown} is unknown. Use ${names}.`)
}
