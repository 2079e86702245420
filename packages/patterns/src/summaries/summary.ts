import {
  type Column,
  codecOf,
  type EntityModel,
  type KeyCodec,
  key,
  ModelError,
} from '@rowkey/mapper'
import {
  checkEntityKey,
  DecodeError,
  DynamicEntity,
  dynamicEntityCodec,
  type EntityKey,
  EntityProperty,
  keyOfRaw,
  type RawEntity,
} from '@rowkey/odata'
import type { Summary } from '../derived/compare.ts'
import { type Derived, fingerprintOf, titleOf } from '../derived/definition.ts'
import { keptBeginning } from '../derived/kept-key.ts'
import { patternsInputError } from '../errors/codes.ts'
import { shownProblem, storedNamesOf } from '../rows/known-properties.ts'
import type { SummaryDefinition } from './summary-definition.ts'

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
/** One summary of a model: it makes rows from what entities add. */
export class SummaryRule implements Derived {
  readonly kind = 'summary'
  readonly name: string
  readonly id: string
  /** The model whose entities count. */
  readonly model: EntityModel<object, object, object>
  readonly definition: SummaryDefinition
  /** The beginning of the RowKeys of all rows. */
  readonly beginning: string
  /** How the RowKeys of the rows are made, their beginning included. */
  readonly rowKey: KeyCodec
  /** The properties that the rows follow from; a `where` may depend on all others, too. */
  readonly properties: readonly string[]
  readonly #sums: readonly string[]

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
    const { rowKey, where, revision, sameSince } = definition
    const sums: readonly string[] = definition.sums ?? []
    this.name = name
    this.definition = definition
    this.properties = [...rowKey.properties, ...sums]
    this.model = model
    this.#sums = sums
    const [wrong] = this.properties.flatMap((each) => shownProblem(model, each) ?? [])
    if (wrong !== undefined) {
      const problem = `Summary ${name}: ${wrong} Use a stored property without encryption.`
      throw new ModelError({ className: model.title, problem })
    }
    const { properties } = this
    const declaration = { keys: [rowKey], properties, shown: sums, where, revision, sameSince }
    const named = `${name}.${fingerprintOf(model, declaration)}`
    this.id = `su~${named}`
    this.beginning = keptBeginning('su', model, named)
    const texts = [this.beginning, '']
    this.rowKey = key(Object.assign(texts, { raw: texts }), rowKey)
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
    const group = this.rowKey.print(entity)
    checkEntityKey({ partitionKey: '', rowKey: group })
    if (this.definition.where?.(entity) === false) return undefined
    const sums = this.#sums.flatMap((name) => {
      const value: unknown = Reflect.get(entity, name)
      const isNumber = typeof value === 'bigint' || Number.isFinite(value)
      return isNumber ? [[name, value as number | bigint] as const] : []
    })
    return { group, count: 1, sums: Object.fromEntries(sums) }
  }

  /**
   * Reads a stored row; a missing row has a count of 0.
   *
   * @throws DecodeError (`UnreadableKeptRow`) when another program changed it
   */
  read(raw: RawEntity | undefined): Summary {
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
    const row = new DynamicEntity(partitionKey, rowKey)
    row.set(COUNT, EntityProperty.int64(count))
    for (const [name, sum] of Object.entries(sums)) {
      const isBig = typeof sum === 'bigint'
      const fits = isBig ? BigInt.asIntN(64, sum) === sum : Number.isFinite(sum)
      if (!fits) throw this.#outOfRange(name, rowKey, sum)
      row.set(`${SUM}${name}`, isBig ? EntityProperty.int64(sum) : EntityProperty.double(sum))
    }
    return dynamicEntityCodec.write(row)
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
      message: `The row ${JSON.stringify(Object.values(keyOfRaw(raw)))} should hold the ${titleOf(this)}, and its property ${property} is missing or has another type: another program changed it. Run repair of the summaries.`,
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
