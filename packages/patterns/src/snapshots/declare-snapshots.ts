import {
  type Account,
  type EntityModel,
  type KeptTable,
  keepRows,
  ModelError,
  type RowKeeper,
  type Table,
  type TableQuery,
} from '@rowkey/mapper'
import { DynamicEntity, dynamicEntityCodec } from '@rowkey/odata'
import {
  type CallOptions,
  callOptions,
  ETagMismatchError,
  insertOrReplaceEntity,
} from '@rowkey/rest'
import { checkEntity, checkFunction, checkModel, checkQuery } from '../errors/check-arguments.ts'
import { aText } from '../errors/rules.ts'
import { declarePattern } from '../options/pattern-options.ts'
import { modelTable, type PatternTableOptions } from '../rows/model-table.ts'
import { beginningOf, rowFilter } from '../rows/row-filter.ts'
import { findStored } from '../rows/stored-row.ts'

/** The options of {@link declareSnapshots}. */
export interface SnapshotOptions {
  /**
   * The RowKey of the row with the version of a partition.
   *
   * @defaultValue `'version_'`
   */
  readonly rowKey?: string | undefined
}

const snapshotOptions = declarePattern<SnapshotOptions>({ rowKey: aText })

/** Milliseconds of the first wait before a partition is read again, which doubles each time. */
const FIRST_WAIT = 50
/** How often a partition is read, when programs write it meanwhile. */
const MAX_READS = 5

/** Consistent reads of partitions, from {@link declareSnapshots}. */
export interface Snapshots<Entity extends object, Input extends object, Key extends object> {
  /**
   * Opens one table. Nothing is sent.
   *
   * @param account - the account of the table
   * @param options - the table's name, when it is not the model's
   */
  on(account: Account, options?: PatternTableOptions): SnapshotTable<Entity, Input, Key>
}

/** Consistent reads of the partitions of one table, from {@link Snapshots.on}. */
export class SnapshotTable<Entity extends object, Input extends object, Key extends object> {
  readonly #rows: Table<Entity, Input, Key>
  readonly #rule: VersionRule
  readonly #table: KeptTable

  /** @internal */
  constructor(rows: Table<Entity, Input, Key>, rule: VersionRule, account: Account) {
    this.#rows = rows
    this.#rule = rule
    this.#table = { service: account.service, name: rows.name }
  }

  /**
   * Reads entities of one partition as they were at one moment, also over several pages: no transaction is seen in part. It
   * reads the version of the partition before and after. When they differ, it reads again, up to 5 times.
   *
   * @param partition - the properties of the PartitionKey
   * @param refine - adds conditions; without it, the whole partition is read
   * @throws ETagMismatchError with the code `PartitionChanging` when the partition changed during each read
   *
   * @example
   * ```ts
   * const accounts = await snapshots.on(account).read({ customer: 'jones' })
   * ```
   */
  async read(
    partition: Partial<Key>,
    refine: (query: TableQuery<Entity>) => TableQuery<Entity> = (query) => query,
    options: CallOptions = {},
  ): Promise<Entity[]> {
    callOptions.check(options, 'read of snapshots')
    checkFunction(refine, 'The second argument of read of snapshots')
    checkEntity(partition, 'The partition of read of snapshots')
    const { service } = this.#table
    const partitionKey = this.#rule.model.partitionKey.print(partition)
    const values = Object.fromEntries(
      this.#rule.model.partitionKey.properties.map((name) => [name, Reflect.get(partition, name)]),
    )
    // A model has the properties of its PartitionKey.
    const query = refine(
      this.#rows
        .query()
        .where(values as never)
        .allowPartitionScan(),
    )
    checkQuery(query, 'The second argument of read of snapshots')
    const within = { ...service.withDeadline(options), locationMode: 'primaryOnly' } as const
    return service.pendingCalls.runSeries(within, (call) => this.#read(partitionKey, query, call))
  }

  async #read(
    partitionKey: string,
    query: TableQuery<Entity>,
    options: CallOptions,
  ): Promise<Entity[]> {
    const { service } = this.#table
    for (let reads = 1; reads <= MAX_READS; reads++) {
      const before = await this.#version(partitionKey, options)
      const entities = await query.toArray(options)
      if ((await this.#version(partitionKey, options)) === before) return entities
      await service.sleep(service.random() * FIRST_WAIT * 2 ** reads, options.signal)
    }
    throw changing(this.#rows.name, partitionKey)
  }

  async #version(partitionKey: string, options: CallOptions): Promise<unknown> {
    const { rowKey } = this.#rule
    const stored = await findStored(this.#table, { partitionKey, rowKey }, options)
    return stored?.etag
  }
}

/**
 * Declares that the partitions of a model can be read as they were at one moment. From then on each write of the model's
 * tables also stores a new version of its partition, in the same transaction.
 *
 * Call it next to the model, in every program that writes the table.
 *
 * @param model - the model
 * @param options - the RowKey of the version
 * @throws ModelError when an entity could have that RowKey
 *
 * @example
 * ```ts
 * const snapshots = declareSnapshots(Entry)
 * const entries = await snapshots.on(account).read({ ledger: '2026' })
 * ```
 */
export function declareSnapshots<Entity extends object, Input extends object, Key extends object>(
  model: EntityModel<Entity, Input, Key>,
  options: SnapshotOptions = {},
): Snapshots<Entity, Input, Key> {
  snapshotOptions.check(options, 'declareSnapshots')
  const { rowKey = 'version_' } = options
  checkModel(model, 'declareSnapshots')
  const own = beginningOf(model.rowKey)
  if (rowKey === '' || own === '' || rowKey.startsWith(own) || own.startsWith(rowKey)) {
    throw new ModelError({
      className: model.title,
      problem: `The version of a partition has the RowKey '${rowKey}', and an entity could have it, too. Begin the RowKeys of the model with a fixed text of their own.`,
    })
  }
  const rule = { model: model as EntityModel<object, object, object>, rowKey }
  keepRows(rule.model, snapshotKeeper(rule), 'declareSnapshots')
  return {
    on(account, tableOptions = {}) {
      modelTable(rule.model, account, tableOptions, 'snapshots')
      return new SnapshotTable(account.table(model, tableOptions), rule, account)
    },
  }
}

function changing(table: string, partitionKey: string): ETagMismatchError {
  return new ETagMismatchError({
    message: `The partition ${JSON.stringify(partitionKey)} of table ${table} changed during each of ${MAX_READS} reads. Read less of it, or read it again later.`,
    status: 412,
    code: 'PartitionChanging',
    requestId: undefined,
    operation: 'queryEntities',
    mayHaveApplied: false,
  })
}

/** How the versions of partitions are stored: the ETag of a row without properties is the version. */
interface VersionRule {
  readonly model: EntityModel<object, object, object>
  /** The RowKey of the version row. */
  readonly rowKey: string
}

/** Gives a partition a new version in each of its transactions. */
function snapshotKeeper({ model, rowKey }: VersionRule): RowKeeper {
  return {
    rows: rowFilter(model, [rowKey]),
    beginnings: [rowKey],
    touches: () => true,
    async plan(transitions, { table }) {
      const companions = transitions.slice(0, 1).map(({ key: { partitionKey } }) => {
        const body = dynamicEntityCodec.write(new DynamicEntity(partitionKey, rowKey))
        const input = { table: table.name, key: { partitionKey, rowKey }, body }
        return { operation: insertOrReplaceEntity, input }
      })
      return { companions, rejected: async (_, error) => error }
    },
  }
}
