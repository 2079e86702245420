import { dynamicEntityCodec, type InputError } from '@rowkey/odata'
import {
  type Change,
  deleteEntity,
  insertEntity,
  insertOrMergeEntity,
  insertOrReplaceEntity,
  mergeEntity,
  updateEntity,
} from '@rowkey/rest'
import type { TableEntity } from './entity/to-entity.ts'
import { toDynamicEntity } from './entity/to-entity.ts'
import {
  checkArray,
  checkMembers,
  checkTypes,
  invalidArgument,
  kindOf,
} from './errors/check-arguments.ts'

/** Whether an update keeps the properties that it does not name. */
export type UpdateMode = 'Merge' | 'Replace'

/** The options of an update or a delete. */
export interface ConditionOptions {
  /**
   * The version that must be stored.
   *
   * @defaultValue `'*'`, any version: the last writer wins
   */
  readonly etag?: string | undefined
}

/**
 * One change of a transaction, in the official client's form. Any object with the two keys is an
 * entity.
 */
export type TransactionAction =
  | readonly ['create' | 'delete', TableEntity<object>]
  | readonly ['update' | 'upsert', TableEntity<object>]
  | readonly ['update' | 'upsert', TableEntity<object>, UpdateMode]
  | readonly ['update' | 'upsert', TableEntity<object>, UpdateMode, ConditionOptions | undefined]

/** The kind, the entity, the mode and the condition of any {@link TransactionAction}. */
export type ActionParts = readonly [
  kind: TransactionAction[0],
  entity: TableEntity<object>,
  mode?: UpdateMode | undefined,
  options?: ConditionOptions | undefined,
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
  readonly actions: TransactionAction[]

  /**
   * @param actions - the first changes
   * @throws InputError when they are not an array
   */
  constructor(actions: readonly TransactionAction[] = []) {
    checkArray(actions, 'The actions of a TableTransaction')
    this.actions = [...actions]
  }

  /** Adds an insert. */
  createEntity<T extends object = Record<string, unknown>>(entity: TableEntity<T>): void {
    this.actions.push(['create', entity])
  }

  /** Adds a delete, of any version. */
  deleteEntity(partitionKey: string, rowKey: string): void {
    this.actions.push(['delete', { partitionKey, rowKey }])
  }

  /** Adds an update; the default mode is `'Merge'`. */
  updateEntity<T extends object = Record<string, unknown>>(
    entity: TableEntity<T>,
    modeOrOptions: UpdateMode | ConditionOptions = 'Merge',
    options: ConditionOptions = {},
  ): void {
    const [mode, condition] =
      typeof modeOrOptions === 'string'
        ? [modeOrOptions, options]
        : (['Merge', modeOrOptions] as const)
    this.actions.push(['update', entity, mode, condition])
  }

  /** Adds an upsert; the default mode is `'Merge'`. */
  upsertEntity<T extends object = Record<string, unknown>>(
    entity: TableEntity<T>,
    mode: UpdateMode = 'Merge',
  ): void {
    this.actions.push(['upsert', entity, mode])
  }
}

/**
 * Turns the actions of a transaction into changes of Rowkey.
 *
 * @param table - the table
 * @param actions - the actions
 * @throws InputError for actions that are not arrays, and as {@link toChange} does
 */
export function toChanges(table: string, actions: readonly ActionParts[]): Change[] {
  checkArray(actions, 'The actions of submitTransaction')
  return actions.map((action, index) => {
    checkArray(action, `Action ${index} of submitTransaction`)
    return toChange(table, action)
  })
}

/**
 * Turns an action into a change of Rowkey.
 *
 * @param table - the table
 * @param action - the action
 * @throws InputError for an unknown action or mode, and for an entity that cannot be stored
 */
export function toChange(table: string, action: ActionParts): Change {
  const [kind, given, mode = 'Merge', options = {}] = action
  if (!KINDS.includes(kind)) throw unknown('action', kind, KINDS)
  if (!MODES.includes(mode)) throw unknown('mode', mode, MODES)
  checkMembers(options, ['etag'], `The options of the action '${kind}'`)
  checkTypes(options, ['etag'], 'string', `the action '${kind}'`)
  const entity = toDynamicEntity(given)
  const key = dynamicEntityCodec.keyOf(entity)
  const { etag = '*' } = options
  if (kind === 'delete') return { operation: deleteEntity, input: { table, key, body: '', etag } }
  const input = { table, key, body: dynamicEntityCodec.write(entity) }
  if (kind === 'create') return { operation: insertEntity, input }
  if (kind === 'update') {
    return { operation: mode === 'Merge' ? mergeEntity : updateEntity, input: { ...input, etag } }
  }
  return { operation: mode === 'Merge' ? insertOrMergeEntity : insertOrReplaceEntity, input }
}

const KINDS: readonly unknown[] = ['create', 'update', 'upsert', 'delete']
const MODES: readonly unknown[] = ['Merge', 'Replace']

function unknown(what: string, value: unknown, known: readonly unknown[]): InputError {
  const shown = typeof value === 'string' ? JSON.stringify(value) : `that is ${kindOf(value)}`
  const names = known.map((name) => `'${name}'`).join(' or ')
  return invalidArgument(`The ${what} ${shown} is unknown. Use ${names}.`)
}
