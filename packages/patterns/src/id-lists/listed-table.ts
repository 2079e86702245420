import { codecOf, type KeptTable, type Table } from '@rowkey/mapper'
import { and, keyOfRaw } from '@rowkey/odata'
import { resultsInOrder } from '@rowkey/query'
import { type CallOptions, checkOptions } from '@rowkey/rest'
import { retryConflicts } from '../conflicts/retry-conflicts.ts'
import { CALL_OPTIONS } from '../errors/check-arguments.ts'
import { patternsInputError } from '../errors/codes.ts'
import { type ModelTable, partitionEntities } from '../rows/partition-entities.ts'
import { beginningFilter, beginningOf, inPartition } from '../rows/row-filter.ts'
import { scanRows } from '../rows/scan-rows.ts'
import { writeRows } from '../rows/write-rows.ts'
import { type IdList, type ListRow, listChanges, toListRow } from './id-list.ts'

/** The options of {@link ListedTable.query}. */
export interface ListedQueryOptions extends CallOptions {
  /**
   * How many point reads may be pending at once.
   *
   * @defaultValue 8
   */
  readonly concurrency?: number | undefined
}

/** A list that does not agree with the entities. */
export interface IdListFinding {
  /** The name of the id list. */
  readonly idList: string
  /** The key of the list, without the number of its row. */
  readonly list: string
  /** The RowKeys of entities that it lacks. */
  readonly missing: readonly string[]
  /** The RowKeys in it whose entities have another value, or do not exist. */
  readonly dangling: readonly string[]
}

/** What a {@link ListedTable} is made from. */
export interface ListedTableParts extends ModelTable {
  readonly lists: ReadonlyMap<string, IdList>
}

/** The id lists of one table, from {@link IdLists.on}. */
export class ListedTable<Entity extends object, Name extends string> {
  readonly #parts: ListedTableParts
  readonly #rows: Table<object, object, object>
  readonly #table: KeptTable

  /** @internal */
  constructor(parts: ListedTableParts) {
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
    checkOptions(options, CALL_OPTIONS, `rowKeys of id list ${idList}`)
    const used = this.#named(idList)
    const partitionKey = this.#parts.model.partitionKey.print(values)
    const list = used.listOfEntity(values)
    if (list === undefined) throw noValue(used)
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
    const { concurrency, ...call } = options
    const used = this.#named(idList)
    const partitionKey = this.#parts.model.partitionKey.print(values)
    const list = used.listOfEntity(values)
    const rowKeys = await this.rowKeys(idList, values, call)
    const read = async (rowKey: string, signal: AbortSignal) => {
      const entity = await this.#rows.find([partitionKey, rowKey], { ...call, signal })
      // A write may have moved it since the list was read.
      return entity !== undefined && used.listOfEntity(entity) === list ? entity : undefined
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
    const compared = await this.#compare(partition, options)
    return compared.map(({ finding }) => finding)
  }

  /**
   * Works as {@link ListedTable.verify}, and mends what it finds by the ETags of the lists. Writers may go on meanwhile. Run
   * it once for each partition of a table that had rows before the lists were declared, and after programs
   * without the declaration wrote the table.
   *
   * @param partition - the properties of the PartitionKey
   * @returns the lists that were wrong
   * @throws BatchError when writers changed the lists in each of 10 attempts; run it again
   */
  async rebuild(partition: object, options: CallOptions = {}): Promise<readonly IdListFinding[]> {
    checkOptions(options, CALL_OPTIONS, 'rebuild of id lists')
    const partitionKey = this.#parts.model.partitionKey.print(partition)
    const attempt = async (within: CallOptions) => {
      const compared = await this.#compare(partition, within)
      const changes = compared.flatMap(({ finding: { list, missing, dangling }, rows }) =>
        listChanges({
          table: this.#table.name,
          partitionKey,
          list,
          rows,
          removed: new Set(dangling),
          added: new Set(missing),
        }),
      )
      await writeRows(this.#table, changes, within)
      return compared.map(({ finding }) => finding)
    }
    return retryConflicts(this.#table.service, attempt, options)
  }

  /** First the lists, then the entities: a list with the same ETag afterwards was compared with all of its writes. */
  async #compare(
    partition: object,
    options: CallOptions,
  ): Promise<readonly { readonly finding: IdListFinding; readonly rows: readonly ListRow[] }[]> {
    const partitionKey = this.#parts.model.partitionKey.print(partition)
    const stored = new Map<IdList, Map<string, ListRow[]>>()
    for (const idList of this.#parts.lists.values()) {
      stored.set(idList, await this.#listsOf(idList, partitionKey, options))
    }
    const expected = await this.#expected(partition, options)
    return [...stored].flatMap(([idList, lists]) => {
      const should = expected.get(idList) ?? new Map<string, Set<string>>()
      return Array.from(new Set([...lists.keys(), ...should.keys()]), (list) => {
        const rows = lists.get(list) ?? []
        const ids = new Set(rows.flatMap((row) => row.ids))
        const own = should.get(list) ?? new Set<string>()
        const missing = [...own].filter((id) => !ids.has(id))
        const dangling = [...ids].filter((id) => !own.has(id))
        return { finding: { idList: idList.name, list, missing, dangling }, rows }
      }).filter(({ finding }) => finding.missing.length + finding.dangling.length > 0)
    })
  }

  async #listsOf(
    idList: IdList,
    partitionKey: string,
    options: CallOptions,
  ): Promise<Map<string, ListRow[]>> {
    const lists = new Map<string, ListRow[]>()
    const filter = and(inPartition(partitionKey), beginningFilter(beginningOf(idList.template)))
    for await (const raw of scanRows(this.#table, filter, options)) {
      const { list } = idList.placeOf(keyOfRaw(raw).rowKey) ?? {}
      if (list !== undefined) lists.set(list, [...(lists.get(list) ?? []), toListRow(raw)])
    }
    return lists
  }

  async #expected(
    partition: object,
    options: CallOptions,
  ): Promise<ReadonlyMap<IdList, Map<string, Set<string>>>> {
    const { model, lists } = this.#parts
    const all = new Map(
      Array.from(lists.values(), (each) => [each, new Map<string, Set<string>>()]),
    )
    for await (const entity of partitionEntities(this.#parts, partition, options)) {
      const { rowKey } = codecOf(model).keyOf(entity)
      for (const [idList, expected] of all) {
        const list = idList.listOfEntity(entity)
        if (list === undefined) continue
        expected.set(list, (expected.get(list) ?? new Set()).add(rowKey))
      }
    }
    return all
  }

  #named(name: string): IdList {
    const idList = this.#parts.lists.get(name)
    if (idList !== undefined) return idList
    throw patternsInputError({
      code: 'InvalidPatternOption',
      message: `${this.#parts.model.title} has no id list ${JSON.stringify(name)}. It has: ${[...this.#parts.lists.keys()].join(', ')}.`,
    })
  }
}

function noValue({ name, template }: IdList): Error {
  return patternsInputError({
    code: 'InvalidPatternOption',
    message: `A read by id list ${name} needs a value for each of ${template.properties.join(', ')}.`,
  })
}
