import { codecOf, type EntityModel } from '@rowkey/mapper'
import {
  DecodeError,
  DynamicEntity,
  dynamicEntityCodec,
  type EdmType,
  type EntityKey,
  EntityProperty,
  keyOfRaw,
  type RawEntity,
} from '@rowkey/odata'
import { patternsInputError } from '../errors/codes.ts'
import { EntityGroups } from '../groups/entity-groups.ts'
import type { Summary, SummaryDefinition } from './summary-definition.ts'

/** What one entity, or several, add to a row of a summary. */
export interface Contribution {
  /** The RowKey of the row. */
  readonly rowKey: string
  readonly count: number
  readonly sums: Readonly<Record<string, number | bigint>>
}

/** The stored property with the number of entities. */
const COUNT = 'Count'
/** The beginning of the stored names of the sums. */
const SUM = 'Sum_'

/** One summary of a model: it makes rows from what entities add. */
export class SummaryRule {
  /** The groups of entities; each has a row. */
  readonly groups: EntityGroups
  readonly definition: SummaryDefinition
  readonly #model: EntityModel<object, object, object>
  readonly #sums: readonly string[]

  /** @internal */
  constructor(
    name: string,
    model: EntityModel<object, object, object>,
    definition: SummaryDefinition,
  ) {
    const { rowKey: template, sums = [] } = definition
    this.groups = new EntityGroups({ kind: 'Summary', name, model, template, shown: sums })
    this.definition = definition
    this.#model = model
    this.#sums = sums
  }

  /** Returns what a stored entity adds; `undefined` when it counts nowhere. */
  contributionOfRow(raw: RawEntity): Contribution | undefined {
    return this.contributionOf(codecOf(this.#model).read(raw))
  }

  /** Returns what an entity adds; `undefined` when it counts nowhere. */
  contributionOf(entity: object): Contribution | undefined {
    const rowKey = this.groups.keyOf(entity)
    if (rowKey === undefined || this.definition.where?.(entity) === false) return undefined
    const sums = this.#sums.flatMap((name) => {
      const value: unknown = Reflect.get(entity, name)
      const isNumber = typeof value === 'bigint' || Number.isFinite(value)
      return isNumber ? [[name, value as number | bigint] as const] : []
    })
    return { rowKey, count: 1, sums: Object.fromEntries(sums) }
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
      const value = row?.get(`${SUM}${name}`)?.value ?? this.#zero(name)
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
    const row = new DynamicEntity(partitionKey, rowKey).set(COUNT, EntityProperty.int64(count))
    for (const [name, sum] of Object.entries(sums)) {
      const isBig = typeof sum === 'bigint'
      const fits = isBig ? BigInt.asIntN(64, sum) === sum : Number.isFinite(sum)
      if (!fits) throw this.#outOfRange(name, rowKey, sum)
      row.set(`${SUM}${name}`, isBig ? EntityProperty.int64(sum) : EntityProperty.double(sum))
    }
    return dynamicEntityCodec.write(row)
  }

  #zero(name: string): number | bigint {
    return this.#typeOf(name) === 'Int64' ? 0n : 0
  }

  /** Without a declared type, the values decide. */
  #isSum(name: string, value: unknown): boolean {
    const type = this.#typeOf(name)
    if (typeof value === 'bigint') return type === undefined || type === 'Int64'
    return typeof value === 'number' && type !== 'Int64'
  }

  #typeOf(name: string): EdmType | undefined {
    return this.#model.columns.find(({ property }) => property === name)?.type
  }

  #outOfRange(name: string, rowKey: string, sum: number | bigint): Error {
    const type = typeof sum === 'bigint' ? 'an Int64 holds at most 64 bits' : 'a Double is finite'
    return patternsInputError({
      code: 'SumOutOfRange',
      message: `Summary ${this.groups.name} of ${this.#model.title}: the sum of '${name}' in the row ${JSON.stringify(rowKey)} would be ${sum}, and ${type}. Nothing was written. Divide the group, or sum another property.`,
      details: { property: `${this.#model.title}.${name}` },
    })
  }

  #unreadable(raw: RawEntity, property: string): Error {
    const key = keyOfRaw(raw)
    return new DecodeError({
      code: 'UnreadableKeptRow',
      message: `The row ${JSON.stringify([key.partitionKey, key.rowKey])} should hold the summary ${this.groups.name} of ${this.#model.title}, and its property ${property} is missing or has another type: another program changed it. Run rebuild of the summaries.`,
      details: { ...key, property },
    })
  }
}

/** Adds a contribution to a summary, or takes it off. */
export function added(summary: Summary, { count, sums }: Contribution, times: 1 | -1): Summary {
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
    one.rowKey === other.rowKey && [...names].every((name) => one.sums[name] === other.sums[name])
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
