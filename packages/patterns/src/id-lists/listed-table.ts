import type { KeptTable, Table } from '@rowkey/mapper'
import { resultsInOrder } from '@rowkey/query'
import { type CallOptions, checkOptions } from '@rowkey/rest'
import { retryConflicts } from '../conflicts/retry-conflicts.ts'
import { CALL_OPTIONS, checkEntity } from '../errors/check-arguments.ts'
import { patternsInputError } from '../errors/codes.ts'
import { namedIn } from '../groups/entity-groups.ts'
import { loopSeries } from '../rows/scan-rows.ts'
import { writeRows } from '../rows/write-rows.ts'
import { type ComparedTable, compareLists, type IdListFinding } from './compare-lists.ts'
import { type IdList, listChanges } from './id-list.ts'

/** The options of {@link ListedTable.query}. */
export interface ListedQueryOptions extends CallOptions {
  /**
   * How many point reads may be pending at once.
   *
   * @defaultValue 8
   */
  readonly concurrency?: number | undefined
}

/** How often a rebuild compares a partition, until nothing is left to repair. */
const MAX_ROUNDS = 10

/** The id lists of one table, from {@link IdLists.on}. */
export class ListedTable<Entity extends object, Name extends string> {
  readonly #parts: ComparedTable
  readonly #rows: Table<object, object, object>
  readonly #table: KeptTable

  /** @internal */
  constructor(parts: ComparedTable) {
    this.#parts = parts
    this.#rows = parts.account.table(parts.model, parts.name)
    this.#table = { service: parts.account.service, name: parts.name }
  }

  /**
   * Reads the RowKeys of the entities with a value, without the entities: one request for most lists.
   *
   * @param idList - the name of the id list
   * @param values - the properties of PartitionKey and of the list
   */
  async rowKeys(
    idList: Name,
    values: object,
    options: CallOptions = {},
  ): Promise<readonly string[]> {
    checkOptions(options, CALL_OPTIONS, `rowKeys of id list ${String(idList)}`)
    const { used, partitionKey, list } = this.#place(idList, values)
    const rows = await used.read(this.#table, partitionKey, list, options)
    return [...new Set(rows.flatMap(({ ids }) => ids))]
  }

  /**
   * Reads the entities with a value: the list, then a point read for each entity, several at once. They come in the order
   * in which they entered the list.
   *
   * @param idList - the name of the id list
   * @param values - the properties of PartitionKey and of the list
   *
   * @example
   * ```ts
   * for await (const employee of listed.query('lastName', { department: 'Sales', lastName: 'Jones' })) {
   *   console.log(employee.firstName)
   * }
   * ```
   */
  async *query(
    idList: Name,
    values: object,
    options: ListedQueryOptions = {},
  ): AsyncGenerator<Entity, void, undefined> {
    checkOptions(options, [...CALL_OPTIONS, 'concurrency'], `query of id list ${String(idList)}`)
    if (options.concurrency !== undefined) checkConcurrency(options.concurrency, idList)
    yield* loopSeries(this.#table.service, options, (call) => this.#query(idList, values, call))
  }

  async *#query(
    idList: Name,
    values: object,
    { concurrency, ...call }: ListedQueryOptions,
  ): AsyncGenerator<Entity, void, undefined> {
    const { used, partitionKey, list } = this.#place(idList, values)
    const rowKeys = await this.rowKeys(idList, values, call)
    const read = async (rowKey: string, signal: AbortSignal) => {
      const entity = await this.#rows.find([partitionKey, rowKey], { ...call, signal })
      // A write may have moved it since the list was read.
      return entity !== undefined && used.groups.keyOf(entity) === list ? entity : undefined
    }
    const found = resultsInOrder(rowKeys, read, { concurrency, signal: call.signal })
    for await (const entity of found) if (entity !== undefined) yield entity as Entity
  }

  /**
   * Compares the lists of a partition with its entities, and changes nothing. It reads the whole partition. Lists that
   * writers change meanwhile may be among the findings; `rebuild` tells them apart.
   *
   * @param partition - the properties of the PartitionKey
   */
  async verify(partition: object, options: CallOptions = {}): Promise<readonly IdListFinding[]> {
    checkOptions(options, CALL_OPTIONS, 'verify of id lists')
    const { stale, unreadable } = await this.#table.service.pendingCalls.runSeries(
      options,
      (call) => compareLists(this.#parts, partition, call),
    )
    return [...stale.map(({ finding }) => finding), ...unreadable]
  }

  /**
   * Works as {@link ListedTable.verify}, and mends what it finds by the ETags of the lists. Writers may go on meanwhile. Run
   * it once for each partition of a table that had rows before the lists were declared, and after programs
   * without the declaration wrote the table. After repairs it compares the partition again.
   *
   * @param partition - the properties of the PartitionKey
   * @returns the lists that were wrong
   * @throws BatchError when writers changed the lists in each of 10 attempts; run it again
   */
  async rebuild(partition: object, options: CallOptions = {}): Promise<readonly IdListFinding[]> {
    checkOptions(options, CALL_OPTIONS, 'rebuild of id lists')
    const { service } = this.#table
    return service.pendingCalls.runSeries(service.withDeadline(options), async (within) => {
      const findings: IdListFinding[] = []
      for (let round = 1; ; round++) {
        const found = await retryConflicts(service, (call) => this.#repair(partition, call), within)
        findings.push(...found.filter(({ repaired }) => repaired || round === 1))
        // A program may have deleted an entity just before its RowKey was added to a list that did not have it.
        if (!found.some(({ repaired }) => repaired) || round === MAX_ROUNDS) return findings
      }
    })
  }

  async #repair(partition: object, options: CallOptions): Promise<readonly IdListFinding[]> {
    const partitionKey = this.#parts.model.partitionKey.print(partition)
    const { stale, unreadable } = await compareLists(this.#parts, partition, options)
    const changes = stale.flatMap(({ finding: { list, missing, dangling }, rows }) =>
      listChanges({
        table: this.#table.name,
        partitionKey,
        list,
        rows,
        removed: new Set(dangling),
        added: new Set(missing),
      }),
    )
    await writeRows(this.#table, changes, options)
    const rebuilt = new Set(changes.map(({ input }) => input.key.rowKey))
    return [
      ...stale.map(({ finding }) => ({ ...finding, repaired: true })),
      ...unreadable.map((each) => ({ ...each, repaired: rebuilt.has(each.row.rowKey) })),
    ]
  }

  #place(name: string, values: object): ListPlace {
    const { model, lists } = this.#parts
    const used = namedIn(lists, name, { title: model.title, kind: 'id list' })
    checkEntity(values, `The values for id list ${name} of ${model.title}`)
    const partitionKey = model.partitionKey.print(values)
    const list = used.groups.keyOf(values)
    if (list === undefined) throw noValue(used)
    return { used, partitionKey, list }
  }
}

/** One list of a partition. */
interface ListPlace {
  readonly used: IdList
  readonly partitionKey: string
  readonly list: string
}

function checkConcurrency(concurrency: unknown, idList: string): void {
  if (Number.isSafeInteger(concurrency) && Number(concurrency) >= 1) return
  throw patternsInputError({
    code: 'InvalidPatternOption',
    message: `concurrency of query of id list ${idList} must be a whole number from 1; got ${String(concurrency)}.`,
  })
}

function noValue({ groups: { name, template } }: IdList): Error {
  return patternsInputError({
    code: 'InvalidPatternOption',
    message: `A read by id list ${name} needs a value for each of ${template.properties.join(', ')}.`,
  })
}
