import {
  comparison,
  declareOptions,
  describeKind,
  invalidOption,
  literalOf,
  milliseconds,
  parseFilter,
  type RawEntity,
  rule,
} from '@rowkey/odata'
import type { ProjectionOf } from '@rowkey/query'
import type { CallOptions } from '@rowkey/rest'
import type { BulkRun } from '../bulk/bulk-run.ts'
import type { KeyMembers } from '../model/entity-model.ts'
import type { RowLifetime } from '../model/row-rule.ts'
import type { WriteOptions } from '../options/write-options.ts'
import type { EntityTarget } from '../rows/entity-target.ts'
import type { TableParts } from '../rows/table-parts.ts'
import { type RawOptions, rawRules } from '../table/raw-options.ts'
import { Table } from '../table/table.ts'

/** The options of {@link LifetimeTable.sweep}. */
export interface LifetimeSweepOptions extends RawOptions {
  /**
   * How long ago a row must have expired or been deleted, in milliseconds. Until then it can be restored.
   *
   * @defaultValue 0
   */
  readonly olderThan?: number | undefined
  /** Sweeps one partition, as it is stored, in place of the whole table. */
  readonly partitionKey?: string | undefined
}

/**
 * The rows of a table that have expired or are deleted softly, from {@link lifetimeOf}.
 *
 * @example
 * ```ts
 * const lifetimes = lifetimeOf(account.table(Note))
 * await lifetimes.restore(['jeff', 'n1'])
 * const { done } = await lifetimes.sweep({ olderThan: 30 * 24 * 3_600_000 })
 * ```
 */
export class LifetimeTable<
  Entity extends object,
  Input extends object = Entity,
  Key extends object = KeyMembers<Entity>,
> {
  /** The same table with all its rows: reads show hidden rows, and deletes are final. */
  readonly all: Table<Entity, Input, Key>
  readonly #parts: TableParts<Entity>
  readonly #lifetime: RowLifetime

  /**
   * @param parts - the table
   * @param lifetime - decides which of its rows are live
   * @internal
   */
  constructor(parts: TableParts<Entity>, lifetime: RowLifetime) {
    this.#parts = parts
    this.#lifetime = lifetime
    this.all = new Table<Entity, Input, Key>({ ...parts, rows: parts.rows.all })
  }

  /**
   * Makes a softly deleted entity live again. It reads the row and replaces it without the time of the
   * deletion, if it has not changed in between. A row that is not deleted stays as it is.
   *
   * @param target - its key, as for {@link Table.get}
   * @returns the entity
   * @throws EntityNotFoundError when it does not exist, for example because it was swept
   * @throws InputError (`InvalidOptionValue`) when the model has no `deletedAt`
   *
   * @example
   * ```ts
   * const note = await lifetimeOf(notes).restore(['jeff', 'n1'])
   * ```
   */
  async restore(target: EntityTarget | Key, options: CallOptions = {}): Promise<Entity> {
    const { deletedAt } = this.#lifetime
    if (deletedAt === undefined) {
      throw invalidOption(
        `restore of table ${this.all.name} needs a model with lifetime({ deletedAt }). To renew an expired entity, change its time with lifetimeOf(table).all.`,
      )
    }
    const clear = (entity: Entity): void => {
      Object.assign(entity, { [deletedAt]: undefined })
    }
    return this.all.modify(target, clear, options)
  }

  /**
   * Deletes an entity for good, hidden or not.
   *
   * @param target - the entity, or its key; a key alone needs `etag`
   * @param options - also `etag`: by default the entity's own
   * @throws EntityNotFoundError when it does not exist
   * @throws ETagMismatchError when it has changed since it was read
   *
   * @example
   * ```ts
   * await lifetimeOf(notes).erase(['jeff', 'n1'], { etag: '*' })
   * ```
   */
  async erase(
    target: Entity | ProjectionOf<Entity> | EntityTarget | Key,
    options: WriteOptions = {},
  ): Promise<void> {
    return this.all.delete(target, options)
  }

  /**
   * Deletes the rows that expired or were deleted softly, in transactions by partition. Each row is deleted by its ETag,
   * so a row that is renewed or restored in between is skipped. It scans the table, or one partition, for them.
   *
   * @param options - also `olderThan`, `partitionKey`, `signal`, `concurrency` and `onProgress`
   * @returns a run, which begins when it is awaited or iterated over
   * @throws InputError (`InvalidOptionValue`) for an `olderThan` that is not a finite number from 0, and for a
   * `partitionKey` that is not text
   *
   * @example
   * ```ts
   * const { done, skipped } = await lifetimeOf(sessions).sweep({ signal, onProgress: console.log })
   * ```
   */
  sweep(options: LifetimeSweepOptions = {}): BulkRun<RawEntity> {
    const where = `sweep of table ${this.all.name}`
    sweepOptions.check(options, where)
    const { olderThan = 0, partitionKey, ...rest } = options
    const until = Math.max(this.#parts.service.now() - olderThan, FIRST_TIME)
    // Only the compiler knows the shape of queries: the names of these conditions are those of the rows.
    const due = this.all.query().where(parseFilter(this.#lifetime.dueFilter(until)) as never)
    const inPartition = comparison('PartitionKey', 'eq', literalOf(partitionKey ?? '', 'String'))
    const query = partitionKey === undefined ? due : due.where(inPartition as never)
    const names = ['PartitionKey', 'RowKey', ...this.#lifetime.names]
    const { fetch } = query.allowTableScan().storedRows('sweep', names)
    const isDue = (raw: RawEntity) => this.#lifetime.isDue(raw, until)
    const rows = { fetch: (call: CallOptions) => chosen(fetch(call), isDue), hasKept: false }
    return this.all.rawRows.deleteAll(rows, rest, 'skip')
  }
}

async function* chosen(
  rows: AsyncIterable<RawEntity>,
  isChosen: (raw: RawEntity) => boolean,
): AsyncGenerator<RawEntity, void, undefined> {
  for await (const raw of rows) if (isChosen(raw)) yield raw
}

const sweepOptions = declareOptions<LifetimeSweepOptions>({
  ...rawRules,
  olderThan: milliseconds,
  partitionKey: rule('the stored text of a PartitionKey', (key) => typeof key === 'string'),
})

/** The first time that the service stores, in milliseconds. */
const FIRST_TIME = Date.UTC(1601, 0)

/**
 * Returns the expired and softly deleted rows of a table whose model has a {@link lifetime}: to read, restore, erase and
 * sweep them.
 *
 * @param table - from {@link Account.table} or {@link Table.within}
 * @throws InputError (`InvalidOptionValue`) for a model without a lifetime, and for an argument that is not a table
 *
 * @example
 * ```ts
 * const expired = await lifetimeOf(sessions).all.find(['jeff', 's1'])
 * ```
 */
export function lifetimeOf<Entity extends object, Input extends object, Key extends object>(
  table: Pick<Table<Entity, Input, Key>, 'batch' | 'name' | 'parts'>,
): LifetimeTable<Entity, Input, Key> {
  if (Object(table).parts === undefined) {
    throw invalidOption(
      `lifetimeOf takes a table, such as account.table(Note); got ${describeKind(table)}.`,
    )
  }
  const { parts, name } = table
  const lifetime = lifetimeIn(parts)
  if (lifetime !== undefined) return new LifetimeTable(parts, lifetime)
  throw invalidOption(
    `The model of table ${name} has no lifetime. Declare it: @Entity({ name, lifetime: lifetime({ expiresAt: 'expiresOn' }) }).`,
  )
}

/** Returns the lifetime that hides rows of a table; `undefined` when none does. */
export function lifetimeIn({ rows }: Pick<TableParts<object>, 'rows'>): RowLifetime | undefined {
  return rows.rules.find((rule): rule is RowLifetime => 'dueFilter' in rule)
}
