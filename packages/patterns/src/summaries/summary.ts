import { codecOf, type EntityModel } from '@rowkey/mapper'
import {
  checkEntityKey,
  DynamicEntity,
  dynamicEntityCodec,
  type EntityKey,
  EntityProperty,
  type RawEntity,
} from '@rowkey/odata'
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
/** What the stored names of the sums begin with. */
const SUM = 'Sum_'

/** One summary of a model: it makes rows from what entities add. */
export class SummaryRule {
  /** The name of the summary. */
  readonly name: string
  readonly definition: SummaryDefinition
  readonly #model: EntityModel<object>

  /** @internal */
  constructor(name: string, model: EntityModel<object>, definition: SummaryDefinition) {
    this.name = name
    this.definition = definition
    this.#model = model
  }

  /** Returns what a stored entity adds; `undefined` when it counts nowhere. */
  contributionOfRow(raw: RawEntity): Contribution | undefined {
    return this.contributionOf(codecOf(this.#model).read(raw))
  }

  /** Returns what an entity adds; `undefined` when it counts nowhere. */
  contributionOf(entity: object): Contribution | undefined {
    const { rowKey: template, where } = this.definition
    const isGrouped = template.properties.every(
      (name) => (Reflect.get(entity, name) ?? undefined) !== undefined,
    )
    if (!isGrouped || where?.(entity) === false) return undefined
    const rowKey = template.print(entity)
    checkEntityKey({ partitionKey: '', rowKey })
    const sums = this.#sums.flatMap((name) => {
      const value: unknown = Reflect.get(entity, name)
      const isNumber = typeof value === 'bigint' || Number.isFinite(value)
      return isNumber ? [[name, value as number | bigint] as const] : []
    })
    return { rowKey, count: 1, sums: Object.fromEntries(sums) }
  }

  /** Reads a stored row; a missing row has a count of 0. */
  read(raw: RawEntity | undefined): Summary {
    const properties = raw && dynamicEntityCodec.read(raw).properties
    const sums = this.#sums.map((name) => {
      const value = properties?.get(`${SUM}${name}`)?.value
      return [
        name,
        typeof value === 'number' || typeof value === 'bigint' ? value : this.#zero(name),
      ] as const
    })
    return { count: Number(properties?.get(COUNT)?.value ?? 0), sums: Object.fromEntries(sums) }
  }

  /** Writes a row. */
  write({ partitionKey, rowKey }: EntityKey, { count, sums }: Summary): string {
    const row = new DynamicEntity(partitionKey, rowKey).set(COUNT, EntityProperty.int64(count))
    for (const [name, sum] of Object.entries(sums)) {
      const stored =
        typeof sum === 'bigint' ? EntityProperty.int64(sum) : EntityProperty.double(sum)
      row.set(`${SUM}${name}`, stored)
    }
    return dynamicEntityCodec.write(row)
  }

  get #sums(): readonly string[] {
    return this.definition.sums ?? []
  }

  #zero(name: string): number | bigint {
    const column = this.#model.columns.find(({ property }) => property === name)
    return column?.type === 'Int64' ? 0n : 0
  }
}

/** Adds a contribution to a summary, or takes it off. */
export function added(summary: Summary, { count, sums }: Contribution, times: 1 | -1): Summary {
  const all = { ...summary.sums }
  for (const [name, value] of Object.entries(sums)) all[name] = sumOf(all[name] ?? 0, value, times)
  return { count: summary.count + times * count, sums: all }
}

function sumOf(sum: number | bigint, value: number | bigint, times: 1 | -1): number | bigint {
  if (typeof value === 'bigint') return BigInt(sum) + BigInt(times) * value
  return Number(sum) + times * value
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
    if (typeof left === 'bigint' || typeof right === 'bigint') return BigInt(left) === BigInt(right)
    return Math.abs(left - right) <= 1e-9 * Math.max(1, Math.abs(left), Math.abs(right))
  })
}
