import {
  forbidKeepers,
  type MemberEntity,
  type MemberInput,
  type MemberKey,
  ModelError,
} from '@rowkey/mapper'
import { checkArgument } from '../errors/check-argument.ts'
import { aModel } from '../errors/rules.ts'
import { type Declared, declared } from '../rows/model-table.ts'
import { type WidePart, WideTable } from './wide-table.ts'

/**
 * All of several types at once.
 *
 * @example
 * ```ts
 * type A = AllOf<{ id: string; first: number } | { id: string; last: number }> // { id; first; last }
 * ```
 */
export type AllOf<Types> = (Types extends unknown ? (each: Types) => void : never) extends (
  all: infer All,
) => void
  ? All & object
  : never

/**
 * Joins several models to one entity with more than 252 properties, or more than 1 MiB: each model describes one row. All
 * rows lie in one partition and have the same key properties, and their RowKeys differ in fixed text, such as a
 * suffix `_01`.
 *
 * @param parts - the models, from `defineEntity`. An entity exists when the row of the first model does
 * @throws ModelError when two models have a property in common, or different key properties, and when a model has a
 * lifetime, indexes, summaries or other declarations
 *
 * @example
 * ```ts
 * const Stats = wideEntity(FirstHalf, SecondHalf) // rowKey: key`${'employee'}_01` and key`${'employee'}_02`
 * const stats = Stats.on(account)
 * const year = await stats.get({ department: 'Sales', employee: 223 })
 * year.day200 = 12
 * await stats.save(year) // sends one property of one row
 * ```
 */
export function wideEntity<const Parts extends readonly [WidePart, WidePart, ...WidePart[]]>(
  ...parts: Parts
): Declared<
  WideTable<
    AllOf<MemberEntity<Parts[number]>>,
    AllOf<MemberInput<Parts[number]>>,
    AllOf<MemberKey<Parts[number]>>
  >
> {
  for (const part of parts) checkArgument(aModel, part, 'wideEntity')
  if (parts.length < 2) throw tooFew(parts)
  const [first] = parts
  const known = new Set<string>()
  for (const [at, part] of parts.entries()) {
    checkKeys(first, part)
    if (parts.slice(0, at).some((each) => String(each.rowKey) === String(part.rowKey))) {
      throw sameRow(part)
    }
    for (const { property, name } of part.columns) {
      if (known.has(property) || known.has(name)) throw sharedMember(part, property)
    }
    for (const { property, name } of part.columns) known.add(property).add(name)
  }
  for (const part of parts) forbidKeepers(part, { declaration: 'wideEntity', reason: BYPASS })
  return declared(first, 'a wide entity', (table) => new WideTable(parts, table))
}

const BYPASS = 'a wide entity writes several rows at once, past the tables of its models.'

function checkKeys(first: WidePart, part: WidePart): void {
  const isSame =
    keysOf(first.partitionKey.properties) === keysOf(part.partitionKey.properties) &&
    keysOf(first.rowKey.properties) === keysOf(part.rowKey.properties)
  if (isSame && first.partitionKey.toString() === part.partitionKey.toString()) return
  throw new ModelError({
    className: part.title,
    problem: `The rows of a wide entity have one PartitionKey and the same key properties, and ${part.title} has other ones than ${first.title}. Let the RowKeys differ in fixed text only: key\`\${'id'}_01\` and key\`\${'id'}_02\`.`,
  })
}

function sameRow({ title, rowKey }: WidePart): ModelError {
  return new ModelError({
    className: title,
    problem: `Two models of the wide entity have the RowKey ${rowKey}, and each describes a row of its own. Let the RowKeys differ in fixed text.`,
  })
}

function tooFew([only]: readonly WidePart[]): ModelError {
  return new ModelError({
    className: only?.title ?? '',
    problem: 'wideEntity needs two models or more, one for each row. Use account.table for one.',
  })
}

function keysOf(names: readonly string[]): string {
  return [...names].sort().join()
}

function sharedMember({ title }: WidePart, member: string): ModelError {
  return new ModelError({
    className: title,
    property: member,
    problem:
      'Two rows of the wide entity have this property. Declare it in one of the models; only key properties are shared.',
  })
}
