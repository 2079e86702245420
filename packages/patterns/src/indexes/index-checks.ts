import { type EntityModel, ModelError } from '@rowkey/mapper'
import { aFunction, required, trueOrFalse } from '@rowkey/odata'
import { invalidPatternOption } from '../errors/codes.ts'
import { aCount, aName, aTemplate, names } from '../errors/rules.ts'
import { declarePattern } from '../options/pattern-options.ts'
import { shownProblem } from '../rows/known-properties.ts'
import type { IndexDefinition } from './index-definition.ts'

/** The property of an entry that holds the RowKey of its entity. */
export const OWNER = 'IndexedRowKey'

/** The property of an entry in another partition that holds the PartitionKey of its entity. */
export const OWNER_PARTITION = 'IndexedPartitionKey'

/**
 * Checks the declaration of an index.
 *
 * @throws ModelError for the first mistake
 */
export function checkIndex(
  name: string,
  model: EntityModel<object>,
  definition: IndexDefinition,
): void {
  const problem = problemOf(model, definition)
  if (problem === undefined) return
  throw new ModelError({ className: model.title, problem: `Index ${name}: ${problem}` })
}

function problemOf(model: EntityModel<object>, definition: IndexDefinition): string | undefined {
  const { partitionKey, rowKey, unique, project = [], sameSince } = definition
  const mixed = mixedProblem(definition)
  if (mixed !== undefined) return mixed
  const properties = [...(partitionKey?.properties ?? []), ...rowKey.properties]
  const wrong = copyProblem(model, [...properties, ...project])
  if (wrong !== undefined) return wrong
  const owners = partitionKey === undefined ? [OWNER] : [OWNER, OWNER_PARTITION]
  const taken = model.columns.find(
    ({ property, name }) => project.includes(property as never) && owners.includes(name),
  )
  if (taken !== undefined) {
    return `Its entries hold the key of their entity as '${taken.name}', the stored name of ${taken.property}. Store ${taken.property} under another name, or do not project it.`
  }
  const { number = 1 } = model.version ?? {}
  if (sameSince !== undefined && sameSince > number) {
    return `Its sameSince is ${sameSince}, and the model has version ${number}. Name this version or an earlier one.`
  }
  const own = [...(partitionKey ? model.partitionKey.properties : []), ...model.rowKey.properties]
  const missing = own.filter((each) => !properties.includes(each))
  if (unique || missing.length === 0) return undefined
  const others = missing.map((each) => `\${'${each}'}`).join(', ')
  return partitionKey === undefined
    ? `Two entities may have the same values, so its key must end with the entity's own RowKey. Add ${others}, or declare it unique.`
    : `Two entities could have one entry, so its keys must have all properties of the entity's own key. Add ${others} to its rowKey.`
}

const indexDefinition = declarePattern<IndexDefinition<never>>({
  rowKey: required(aTemplate),
  partitionKey: aTemplate,
  table: aName,
  unique: trueOrFalse,
  automatic: trueOrFalse,
  project: names,
  where: aFunction,
  revision: aCount,
  sameSince: aCount,
})

/**
 * Checks the name of an index and its options.
 *
 * @param name - the name
 * @param title - the title of the model
 * @param definition - the caller's definition
 * @throws InputError
 */
export function checkDefinition(
  name: string,
  title: string,
  definition: IndexDefinition<never>,
): void {
  indexDefinition.check(definition, `index ${name} of ${title}`)
  if (/^[\w-]{1,100}$/.test(name)) return
  throw invalidPatternOption(
    `The name of an index of ${title} must have 1 to 100 letters, digits, - and _; got ${JSON.stringify(name)}.`,
  )
}

/** Returns which options do not go together; `undefined` when all do. */
function mixedProblem({
  partitionKey,
  table,
  unique,
  automatic,
}: IndexDefinition): string | undefined {
  if (partitionKey === undefined) {
    return table === undefined
      ? undefined
      : 'Its entries are in the partitions of their entities, and it names another table. Remove table, or add a partitionKey.'
  }
  if (unique)
    return 'Its entries follow their entities a moment later, so its values cannot be unique. Remove unique or partitionKey.'
  if (automatic)
    return 'Its entries follow their entities a moment later, so queries cannot choose it by themselves. Remove automatic or partitionKey.'
  return undefined
}

/** Returns why entries cannot hold copies of some properties; `undefined` when they can. */
function copyProblem(
  model: EntityModel<object>,
  properties: readonly string[],
): string | undefined {
  if (model.signing !== undefined) {
    return 'Entries are not signed, and the model is. Remove one of the two.'
  }
  for (const property of properties) {
    const isChunked = model.columns.some(
      (each) => each.property === property && (each.chunked || each.series),
    )
    const chunked = `'${property}' is cut into several properties, which an entry cannot copy.`
    const problem = shownProblem(model, property) ?? (isChunked ? chunked : undefined)
    if (problem !== undefined) return problem
    const isStored = model.columns.some((each) => each.property === property)
    const namesake = model.columns.find(({ name }) => name === property)
    if (!isStored && namesake !== undefined) {
      return `Its key has '${property}', and ${namesake.property} is stored as '${property}', so conditions on the two could not be distinguished. Store ${namesake.property} under another name.`
    }
  }
  return undefined
}
