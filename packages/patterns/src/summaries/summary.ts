import { type Column, codecOf, type EntityModel, type KeptTable, ModelError } from '@rowkey/mapper'
import {
  and,
  checkEntityKey,
  DecodeError,
  DynamicEntity,
  dynamicEntityCodec,
  type EntityKey,
  EntityProperty,
  type FilterNode,
  keyOfRaw,
  type RawEntity,
} from '@rowkey/odata'
import type { CallOptions } from '@rowkey/rest'
import { markOf, printedTemplate, storedNamesOf } from '../definitions/index-entry.ts'
import { patternsInputError } from '../errors/codes.ts'
import { hashOf } from '../rows/hash-of.ts'
import { shownProblem } from '../rows/known-properties.ts'
import { beginningFilter, beginningOf, inPartition, textIs } from '../rows/row-filter.ts'
import { scanRows } from '../rows/scan-rows.ts'
import { findStored } from '../rows/stored-row.ts'
import type { Summary, SummaryDefinition } from './summary-definition.ts'

/** What one entity adds to its group. */
export interface Contribution {
  /** The key of the group. */
  readonly group: string
  readonly count: number
  readonly sums: Readonly<Record<string, number | bigint>>
}

/** The stored property with the number of entities. */
const COUNT = 'Count'
/** The beginning of the stored names of the sums. */
const SUM = 'Sum_'
/** The stored property that says whose row it is, and by which declaration. */
const OF = 'Of'
/** The number at the end of the RowKey of a row of a spread group: a space sorts before all other characters of keys. */
const NUMBER = / (\d\d)$/

/** One summary of a model: it makes rows from what entities add. */
export class SummaryRule {
  /** What the catalogue calls it. */
  readonly kind = 'summary'
  /** The name that the caller gave. */
  readonly name: string
  readonly definition: SummaryDefinition
  /** The beginning of the RowKeys of all rows. */
  readonly beginning: string
  /** Over how many rows a group is spread. */
  readonly spread: number
  /** The properties that the rows follow from; a `where` may depend on all others, too. */
  readonly properties: readonly string[]
  /** The model whose entities count. */
  readonly model: EntityModel<object, object, object>
  /** Everything in its declaration that its rows depend on, as text. */
  readonly declaration: string
  readonly #sums: readonly string[]
  readonly #owner: string

  /**
   * @param name - the name of the summary
   * @param model - the model whose entities count
   * @param definition - the definition
   * @throws ModelError for properties that rows must not show
   */
  constructor(
    name: string,
    model: EntityModel<object, object, object>,
    definition: SummaryDefinition,
  ) {
    const { rowKey, spread = 1 } = definition
    const sums: readonly string[] = definition.sums ?? []
    this.name = name
    this.definition = definition
    this.beginning = beginningOf(rowKey)
    this.spread = spread
    this.properties = [...rowKey.properties, ...sums]
    this.model = model
    this.#sums = sums
    this.#owner = JSON.stringify([beginningOf(model.rowKey), model.discriminator?.value ?? ''])
    this.declaration = this.#printDeclaration()
    const [wrong] = this.properties.flatMap((each) => shownProblem(model, each) ?? [])
    if (wrong === undefined) return
    const problem = `Summary ${name}: ${wrong} Use a stored property without encryption.`
    throw new ModelError({ className: model.title, problem })
  }

  /** Tells it from all other summaries of its table, those of other models included. */
  get place(): string {
    return `sum.${this.beginning}${markOf(this.model)}`
  }

  /** What the rows are, for messages. */
  get title(): string {
    return `summary ${this.name} of ${this.model.title}`
  }

  /** Tells whether a merge of some stored names can change a row. */
  touches(names: ReadonlySet<string>): boolean {
    if (this.definition.where !== undefined) return true
    return storedNamesOf(this.model, this.properties).some((name) => names.has(name))
  }

  /** Returns what a stored entity adds; `undefined` when it counts nowhere. */
  contributionOf(raw: RawEntity): Contribution | undefined {
    const entity = codecOf(this.model).read(raw)
    const values = this.definition.rowKey.properties.map((name): unknown =>
      Reflect.get(entity, name),
    )
    if (values.some((value) => value === undefined || value === null)) return undefined
    const group = this.definition.rowKey.print(entity)
    checkEntityKey({ partitionKey: '', rowKey: this.rowKeyOf(group, 0) })
    if (this.definition.where?.(entity) === false) return undefined
    const sums = this.#sums.flatMap((name) => {
      const value: unknown = Reflect.get(entity, name)
      const isNumber = typeof value === 'bigint' || Number.isFinite(value)
      return isNumber ? [[name, value as number | bigint] as const] : []
    })
    return { group, count: 1, sums: Object.fromEntries(sums) }
  }

  /** Returns the RowKey of one row of a group. */
  rowKeyOf(group: string, at: number): string {
    return this.spread === 1 ? group : `${group} ${String(at).padStart(2, '0')}`
  }

  /** Returns the group that a row is of. */
  groupIn(rowKey: string): string {
    return this.spread === 1 ? rowKey : rowKey.replace(NUMBER, '')
  }

  /** Returns the condition on all rows of a partition. */
  rowsIn(partitionKey: string): FilterNode {
    return and(inPartition(partitionKey), beginningFilter(this.beginning))
  }

  /** Reads the rows of one group by one request, those of an earlier declaration included. */
  async readGroup(
    table: KeptTable,
    { partitionKey, group }: { readonly partitionKey: string; readonly group: string },
    options: CallOptions,
  ): Promise<ReadonlyMap<string, RawEntity>> {
    const rows = new Map<string, RawEntity>()
    if (this.spread === 1) {
      const stored = await findStored(table, { partitionKey, rowKey: group }, options)
      return stored === undefined ? rows : rows.set(group, stored)
    }
    const filter = and(
      inPartition(partitionKey),
      textIs('RowKey', 'ge', group),
      textIs('RowKey', 'le', `${group} 99`),
    )
    for await (const raw of scanRows(table, filter, options)) {
      const { rowKey } = keyOfRaw(raw)
      if (this.groupIn(rowKey) === group) rows.set(rowKey, raw)
    }
    return rows
  }

  /** Adds up the rows of a group. */
  total(rows: Iterable<RawEntity>): Summary {
    let total = this.read(undefined)
    for (const raw of rows) total = added(total, this.read(raw), 1)
    return total
  }

  /**
   * Tells whether a row was stored by this declaration.
   *
   * @throws InputError (`KeptRowClash`) for a row of another model
   */
  isOwn(raw: RawEntity): boolean {
    const of = raw[OF]
    if (of === this.declaration || typeof of !== 'string') return of === this.declaration
    if (of.startsWith(`${this.#owner} `)) return false
    throw patternsInputError({
      code: 'KeptRowClash',
      message: `${this.#place(raw)} holds a summary of another model of the table, whose rows have the RowKeys and the type ${of.slice(0, of.lastIndexOf(' '))}. Give the ${this.title} a rowKey with another beginning.`,
    })
  }

  /**
   * Reads a stored row; a missing row has a count of 0.
   *
   * @throws DecodeError (`UnreadableKeptRow`) when another program changed it
   * @throws InputError (`SummaryDiffers`) when another declaration stored it
   */
  read(raw: RawEntity | undefined): Summary {
    if (raw !== undefined && !this.isOwn(raw)) throw this.#differs(raw)
    const row = raw && dynamicEntityCodec.read(raw)
    const count = Number(row?.get(COUNT)?.value ?? (raw ? undefined : 0))
    if (raw && !Number.isInteger(count)) throw this.#unreadable(raw, COUNT)
    const sums = this.#sums.map((name) => {
      const zero = this.#isBig(name) ? 0n : 0
      const value = row?.get(`${SUM}${name}`)?.value ?? zero
      if (raw && !this.#isSum(name, value)) throw this.#unreadable(raw, `${SUM}${name}`)
      return [name, value as number | bigint] as const // isSum
    })
    return { count, sums: Object.fromEntries(sums) }
  }

  /**
   * Writes a row.
   *
   * @throws InputError (`SumOutOfRange`) when a sum does not fit its type
   */
  write({ partitionKey, rowKey }: EntityKey, { count, sums }: Summary): string {
    const row = new DynamicEntity(partitionKey, rowKey, { [OF]: this.declaration })
    row.set(COUNT, EntityProperty.int64(count))
    for (const [name, sum] of Object.entries(sums)) {
      const isBig = typeof sum === 'bigint'
      const fits = isBig ? BigInt.asIntN(64, sum) === sum : Number.isFinite(sum)
      if (!fits) throw this.#outOfRange(name, rowKey, sum)
      row.set(`${SUM}${name}`, isBig ? EntityProperty.int64(sum) : EntityProperty.double(sum))
    }
    return dynamicEntityCodec.write(row)
  }

  /** Tells whether a row says nothing, so that it is deleted. */
  isEmpty({ count, sums }: Summary): boolean {
    // The rest of fractions in a row without entities says nothing. A row of a spread group may hold the sum of others' entities.
    return (
      count === 0 && (this.spread === 1 || Object.values(sums).every((sum) => Number(sum) === 0))
    )
  }

  /** Without a declared type, and with a converter, the values decide. */
  #isSum(name: string, value: unknown): boolean {
    const { type, converter } = this.#columnOf(name) ?? {}
    const isAny = type === undefined || converter !== undefined
    if (typeof value === 'bigint') return isAny || type === 'Int64'
    return typeof value === 'number' && (isAny || type !== 'Int64')
  }

  /** Tells whether a property is known to have bigints. */
  #isBig(name: string): boolean {
    const { type, converter } = this.#columnOf(name) ?? {}
    if (type !== 'Int64' || converter === undefined) return type === 'Int64'
    try {
      return typeof converter.fromStored(0n, { partitionKey: '', rowKey: '' }) === 'bigint'
    } catch {
      return false // The converter has no value for 0.
    }
  }

  #columnOf(name: string): Column | undefined {
    return this.model.columns.find(({ property }) => property === name)
  }

  /** Equal texts give equal rows, unless a `where` or a converter differs and the `revision` does not. */
  #printDeclaration(): string {
    const { where, revision = 1, sameSince } = this.definition
    const { number = 1 } = this.model.version ?? {}
    const sums = this.#sums.map((name) => [name, this.#columnOf(name)?.type])
    // Only a count of all entities is the same whatever a migration does.
    const version = this.properties.length === 0 && where === undefined ? 0 : (sameSince ?? number)
    const parts = [
      printedTemplate(this.definition.rowKey),
      sums,
      where !== undefined,
      revision,
      version,
      this.spread,
    ]
    return `${this.#owner} ${hashOf(JSON.stringify(parts)).toString(16).padStart(8, '0')}`
  }

  #place(raw: RawEntity): string {
    const { partitionKey, rowKey } = keyOfRaw(raw)
    return `The row ${JSON.stringify([partitionKey, rowKey])}`
  }

  #differs(raw: RawEntity): Error {
    return patternsInputError({
      code: 'SummaryDiffers',
      message: `${this.#place(raw)} was stored by another declaration of the ${this.title}. Call ensure() of the summaries once; or give the summary a rowKey with another beginning. Nothing was written.`,
    })
  }

  #outOfRange(name: string, rowKey: string, sum: number | bigint): Error {
    const type = typeof sum === 'bigint' ? 'an Int64 holds at most 64 bits' : 'a Double is finite'
    return patternsInputError({
      code: 'SumOutOfRange',
      message: `Summary ${this.name} of ${this.model.title}: the sum of '${name}' in the row ${JSON.stringify(rowKey)} would be ${sum}, and ${type}. Nothing was written. Divide the group, or sum another property.`,
      details: { property: `${this.model.title}.${name}` },
    })
  }

  #unreadable(raw: RawEntity, property: string): Error {
    return new DecodeError({
      code: 'UnreadableKeptRow',
      message: `${this.#place(raw)} should hold the ${this.title}, and its property ${property} is missing or has another type: another program changed it. Run rebuild of the summaries.`,
      details: { ...keyOfRaw(raw), property },
    })
  }
}

/** Adds values to a summary, or takes them off. */
export function added(
  summary: Summary,
  { count, sums }: Omit<Contribution, 'group'>,
  times: 1 | -1,
): Summary {
  const all = { ...summary.sums }
  for (const [name, value] of Object.entries(sums)) all[name] = sumOf(all[name] ?? 0, value, times)
  return { count: summary.count + times * count, sums: all }
}

function sumOf(sum: number | bigint, value: number | bigint, times: 1 | -1): number | bigint {
  const isBig = typeof value === 'bigint' && (typeof sum === 'bigint' || sum === 0)
  return isBig ? BigInt(sum) + BigInt(times) * value : Number(sum) + times * Number(value)
}

/** Whether two contributions are the same, so that a write does not change the summary. */
export function isSame(one: Contribution | undefined, other: Contribution | undefined): boolean {
  if (one === undefined || other === undefined) return one === other
  const names = new Set([...Object.keys(one.sums), ...Object.keys(other.sums)])
  return (
    one.group === other.group && [...names].every((name) => one.sums[name] === other.sums[name])
  )
}

/** Whether two summaries agree. Sums of fractions may differ in their last digits, as the order of additions differs. */
export function agree(one: Summary, other: Summary): boolean {
  if (one.count !== other.count) return false
  return Object.keys({ ...one.sums, ...other.sums }).every((name) => {
    const [left, right] = [one.sums[name] ?? 0, other.sums[name] ?? 0]
    if (typeof left === 'bigint' && typeof right === 'bigint') return left === right
    return closeTo(Number(left), Number(right))
  })
}

function closeTo(left: number, right: number): boolean {
  return Math.abs(left - right) <= 1e-9 * Math.max(1, Math.abs(left), Math.abs(right))
}
